//! Effects of the Haywire cards (rules §17.4). What a card lets its owner choose is drawn.

use super::cards::PlayCard;
use super::floor::Floor;
use super::haywire::Haywire;
use super::play::Moment;
use super::race::Race;
use crate::contests::roborally::ROBOT_CAP;

/// Most energy that [`Haywire::Pay`] takes.
const MOST_PAID: u8 = 8;

impl Race {
    /// Executes a Haywire card.
    pub(super) fn run_haywire(
        &mut self,
        floor: &Floor,
        robot: usize,
        card: Haywire,
        (register, dice): Moment<'_>,
    ) {
        let robot = robot & (ROBOT_CAP - 1);
        let moment: Moment<'_> = (register, dice);
        match card {
            Haywire::Move2Right => self.drive_turn_drive(floor, robot, (2, 1, 0), moment),
            Haywire::Move2Left => self.drive_turn_drive(floor, robot, (2, 3, 0), moment),
            Haywire::Move1RightMove1 => self.drive_turn_drive(floor, robot, (1, 1, 1), moment),
            Haywire::Move1LeftMove1 => self.drive_turn_drive(floor, robot, (1, 3, 1), moment),
            Haywire::Move3UTurn => self.drive_turn_drive(floor, robot, (3, 2, 0), moment),
            Haywire::Back3 => {
                self.drive(floor, robot, (3, self.body.facing[robot].opposite()), moment);
            }
            Haywire::BackUTurn => self.drive_turn_drive(floor, robot, (-1, 2, 0), moment),
            Haywire::BackScrap => {
                self.drive_turn_drive(floor, robot, (-1, 0, 0), moment);
                // Of the game for good: not to the damage cards.
                self.discards[robot].take(PlayCard::Spam);
            }
            Haywire::Move5 => {
                let has_moved = self.drive(floor, robot, (5, self.body.facing[robot]), (moment.0, moment.1));
                if !has_moved && self.is_running(robot) {
                    self.draw_damage(robot, moment.0, moment.1);
                }
            }
            Haywire::Move1Laser => {
                self.drive_turn_drive(floor, robot, (1, 0, 0), moment);
                self.late.strong |= 1 << robot;
            }
            Haywire::Move1Token => {
                self.drive_turn_drive(floor, robot, (1, 0, 0), moment);
                (self.late.token, self.late.token_stays) = (robot as u8, true);
            }
            Haywire::Turn => {
                let quarters = if moment.1.below(2) == 0 { 1 } else { 3 };
                self.body.facing[robot] = self.body.facing[robot].turned(quarters);
            }
            Haywire::FaceMove1 => {
                let quarters = moment.1.below(4) as u8;
                self.drive_turn_drive(floor, robot, (0, quarters, 1), moment);
            }
            Haywire::Sideways2 => {
                let quarters = if moment.1.below(2) == 0 { 1 } else { 3 };
                self.drive(floor, robot, (2, self.body.facing[robot].turned(quarters)), moment);
            }
            Haywire::Pay => {
                let most = self.energy[robot].min(MOST_PAID);
                let paid = moment.1.below(u32::from(most) + 1) as u8;
                self.energy[robot] -= paid;
                self.drive(floor, robot, (2 * paid, self.body.facing[robot]), moment);
            }
            // The cards of `DrawTwo` are no effect to repeat: they are played where it is drawn.
            Haywire::DrawTwo | Haywire::Upgrade => {}
        }
    }

    /// Drives some cells ahead, or back if negative, turns by some quarters to the right, and drives ahead again. Who
    /// falls does not go on.
    fn drive_turn_drive(
        &mut self,
        floor: &Floor,
        robot: usize,
        (first, quarters, second): (i8, u8, u8),
        (register, dice): Moment<'_>,
    ) {
        let facing = self.body.facing[robot];
        let way = if first < 0 { facing.opposite() } else { facing };
        self.drive(floor, robot, (first.unsigned_abs(), way), (register, dice));
        if self.is_running(robot) {
            let facing = facing.turned(quarters);
            self.body.facing[robot] = facing;
            self.drive(floor, robot, (second, facing), (register, dice));
        }
    }
}
