//! Clients: who shares a rate and a place in the queue. An address of IPv4 is one client; of IPv6 its first 64 bits, which are
//! what a household is given.

use std::net::IpAddr;

use axum::http::HeaderMap;

/// Client, by its address.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) struct Client(u64);

impl Client {
    /// Client of an address.
    pub(super) fn of(address: IpAddr) -> Client {
        Client(match address.to_canonical() {
            IpAddr::V4(address) => u64::from(u32::from(address)),
            // No assigned address of IPv6 begins with 64 bits as small as those of IPv4.
            IpAddr::V6(address) => (u128::from(address) >> 64) as u64,
        })
    }

    /// Client of a request from `peer`. Behind a proxy that is trusted it is the last address of `X-Forwarded-For`, which the
    /// proxy itself has added: those before it are whatever the client has sent.
    pub(super) fn of_request(peer: IpAddr, headers: &HeaderMap, behind_proxy: bool) -> Client {
        let forwarded = headers.get_all("x-forwarded-for").iter().next_back().filter(|_| behind_proxy);
        let last = forwarded.and_then(|value| value.to_str().ok()?.rsplit(',').next()?.trim().parse().ok());
        Client::of(last.unwrap_or(peer))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn address(text: &str) -> IpAddr {
        text.parse().unwrap()
    }

    #[test]
    fn addresses_of_a_household_are_one_client() {
        let of = |text| Client::of(address(text));
        assert_eq!(of("2001:db8:1:2::1"), of("2001:db8:1:2:ffff::9"));
        assert!(of("2001:db8:1:2::1") != of("2001:db8:1:3::1"));
        assert_eq!(of("::ffff:192.0.2.1"), of("192.0.2.1"));
        assert!(of("192.0.2.1") != of("192.0.2.2"));
    }

    #[test]
    fn forwarded_addresses_count_only_behind_a_proxy_and_only_the_last() {
        let peer = address("127.0.0.1");
        let mut headers = HeaderMap::new();
        for value in ["203.0.113.9", "198.51.100.7, 192.0.2.1"] {
            headers.append("x-forwarded-for", value.parse().unwrap());
        }
        assert_eq!(Client::of_request(peer, &headers, false), Client::of(peer));
        assert_eq!(Client::of_request(peer, &headers, true), Client::of(address("192.0.2.1")));
        headers.append("x-forwarded-for", "nobody".parse().unwrap());
        assert_eq!(Client::of_request(peer, &headers, true), Client::of(peer));
    }
}
