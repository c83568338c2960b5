//! Vectors of action numbers (rules §10).

use anyhow::{Context, Result, bail};
use barrow_core::contests::roborally::CardSet;
use barrow_core::contests::roborally::numbering::Classes;

use barrow_session::contests::roborally::findings::{Findings, lines};
use barrow_session::contests::roborally::robot_text::number;
use barrow_session::contests::roborally::robot_text::parse_cards;

pub(super) fn replay(text: &str, findings: &mut dyn Findings) -> Result<()> {
    let mut hand: Option<Classes> = None;
    let mut registers = 0;
    for line in lines(text) {
        let at = || format!("line {}", line.number);
        if let ["HAND", ref cards @ ..] = line.words[..] {
            let cards: CardSet = parse_cards(cards).with_context(at)?.into_iter().collect();
            hand = Some(Classes::of(cards).context("more than nine cards").with_context(at)?);
            continue;
        }
        let Some(classes) = &hand else { bail!("line {}: the hand comes first", line.number) };
        let sizes = classes.sizes();
        let engine = match line.words[..] {
            ["CLASSES", ..] => {
                let cards =
                    |class: &[_]| join(class, |card: &barrow_core::contests::roborally::Card| card.number());
                format!("CLASSES {}", classes.iter().map(cards).collect::<Vec<_>>().join(" | "))
            }
            ["K", k, "COUNT", ..] => {
                registers = number(k).with_context(at)?;
                let codes = (0..sizes.count(registers))
                    .filter_map(|number| sizes.mixed_radix_number(&sizes.action(registers, number)?));
                format!("K {k} COUNT {} SPARSEMAX {}", sizes.count(registers), codes.max().unwrap_or(0))
            }
            ["A", dense, mixed, ":", ..] => {
                let (dense, mixed) = (number(dense).with_context(at)?, number(mixed).with_context(at)?);
                let by_dense = sizes.action(registers, dense).unwrap_or_default();
                let by_mixed = sizes.mixed_radix_action(registers, mixed).unwrap_or_default();
                findings.compare(
                    line.number,
                    &join(&by_mixed, |&class| class),
                    &join(&by_dense, |&class| class),
                );
                let numbers = [sizes.number(&by_dense), sizes.mixed_radix_number(&by_dense)];
                let [dense, mixed] =
                    numbers.map(|number| number.map_or("none".to_owned(), |n| n.to_string()));
                format!("A {dense} {mixed} : {}", join(&by_dense, |&class| class)).trim_end().to_owned()
            }
            _ => bail!("line {}: not a line of a numbering file", line.number),
        };
        findings.compare(line.number, &line.text(), &engine);
    }
    Ok(())
}

fn join<T>(items: &[T], number: impl Fn(&T) -> u8) -> String {
    items.iter().map(|item| number(item).to_string()).collect::<Vec<_>>().join(" ")
}
