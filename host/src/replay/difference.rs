//! Difference of two values of the same shape, described in one line.

use serde::Serialize;
use serde_json::Value;

/// Description of the first difference of two values: its path and both values there. Returns `None` when they are
/// equal.
pub(super) fn first_difference<T: Serialize + PartialEq>(trace: &T, engine: &T) -> Option<String> {
    if trace == engine {
        return None;
    }
    let (trace, engine) = (serde_json::to_value(trace).ok()?, serde_json::to_value(engine).ok()?);
    let mut path = String::new();
    let (trace, engine) = descend(&trace, &engine, &mut path);
    let text = |value: Option<&Value>| value.map_or_else(|| "nothing".to_owned(), Value::to_string);
    Some(format!("{}: trace {}, engine {}", path.trim_start_matches('.'), text(trace), text(engine)))
}

/// Follows the first difference as deep as both sides have the same kind of value, and appends its path. Returns the
/// two values there.
fn descend<'v>(
    trace: &'v Value,
    engine: &'v Value,
    path: &mut String,
) -> (Option<&'v Value>, Option<&'v Value>) {
    let step = match (trace, engine) {
        (Value::Array(left), Value::Array(right)) => (0..left.len().max(right.len()))
            .map(|index| (format!("[{index}]"), left.get(index), right.get(index)))
            .find(|(_, left, right)| left != right),
        (Value::Object(left), Value::Object(right)) => left
            .keys()
            .chain(right.keys())
            .map(|key| (format!(".{key}"), left.get(key), right.get(key)))
            .find(|(_, left, right)| left != right),
        _ => None,
    };
    let Some((name, left, right)) = step else { return (Some(trace), Some(engine)) };
    path.push_str(&name);
    match (left, right) {
        (Some(left), Some(right)) => descend(left, right, path),
        ends => ends,
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn the_deepest_common_place_is_named() {
        let trace = json!({"boards": [{"mana": 1}, {"mana": 2, "hand": ["fester"]}]});
        let engine = json!({"boards": [{"mana": 1}, {"mana": 2, "hand": ["fester", "shield"]}]});
        assert_eq!(first_difference(&trace, &trace.clone()), None);
        let text = first_difference(&trace, &engine).unwrap();
        assert_eq!(text, "boards[1].hand[1]: trace nothing, engine \"shield\"");
    }
}
