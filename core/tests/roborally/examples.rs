//! The worked examples of the rules by their numbers, and the beginnings of recorded games.

use barrow_testing::roborally::script;

/// A test for each example.
macro_rules! examples {
    ($($name:ident: $id:literal,)*) => {
        $(#[test]
        fn $name() {
            script::play($id);
        })*

        #[test]
        fn every_example_has_a_test() {
            assert_eq!(script::ids(), [$($id),*]);
        }
    };
}

examples! {
    roborally_rule_r01_higher_priority_moves_first_84_pushes_then_49_moves: "R01",
    roborally_rule_r02_a_wall_stops_the_rest_of_the_move: "R02",
    roborally_rule_r03_a_chain_of_robots_against_a_wall_nobody_moves: "R03",
    roborally_rule_r04_pushing_into_a_pit_the_pusher_goes_on_and: "R04",
    roborally_rule_r05_driving_off_the_board_destroys_at_once_the_destroyed: "R05",
    roborally_rule_r06_back_up_keeps_the_facing_and_pushes: "R06",
    roborally_rule_r07_rotations_odd_7_41_left_even_8_42_right: "R07",
    roborally_rule_r08_belts_normal_1_cell_express_2_cells: "R08",
    roborally_rule_r09_express_onto_normal_belt_the_second_half_step_uses: "R09",
    roborally_rule_r10_express_belt_leading_to_plain_floor_1_cell_only: "R10",
    roborally_rule_r11_a_belt_that_carries_a_robot_into_a_turning: "R11",
    roborally_rule_r12_entering_the_turning_cell_with_a_card_does_not: "R12",
    roborally_rule_r13_two_belts_into_one_cell_both_robots_stay: "R13",
    roborally_rule_r14_a_robot_on_plain_floor_blocks_a_belt_and: "R14",
    roborally_rule_r15_a_full_ring_of_belts_turns_four_robots_move: "R15",
    roborally_rule_r16_belts_facing_each_other_no_swap: "R16",
    roborally_rule_r17_a_belt_into_a_wall_leaves_the_robot_a: "R17",
    roborally_rule_r18_pusher_active_only_in_its_registers_pushes_a_whole: "R18",
    roborally_rule_r19_pusher_against_a_wall_does_nothing: "R19",
    roborally_rule_r20_gears_rotate_after_belts_and_pushers: "R20",
    roborally_rule_r21_a_board_laser_hits_the_first_robot_of_the: "R21",
    roborally_rule_r22_robot_lasers_blocked_by_walls_and_robots_unlimited_range: "R22",
    roborally_rule_r23_two_robots_facing_each_other_shoot_each_other_simultaneous: "R23",
    roborally_rule_r24_damage_locks_registers_at_once_from_4_to_9: "R24",
    roborally_rule_r24b_exactly_one_hit_damage_5_only_register_5_keeps: "R24b",
    roborally_rule_r25_repair_at_clean_up_a_wrench_and_a_flag: "R25",
    roborally_rule_r26_archive_any_flag_or_repair_site_at_the_end: "R26",
    roborally_rule_r27_passing_over_a_flag_during_a_move_does_not: "R27",
    roborally_rule_r28_touching_the_last_flag_ends_the_game_inside_the: "R28",
    roborally_rule_r29_re_entry_at_the_archive_cell_archived_facing_2: "R29",
    roborally_rule_r30_re_entry_on_an_occupied_archive_cell_first_legal: "R30",
    roborally_rule_r31_the_last_life_the_robot_is_out_for_good: "R31",
    roborally_rule_r32_power_down_announced_for_the_next_turn_then_damage: "R32",
    roborally_rule_r33_order_inside_one_register_card_express_belt_all_belts: "R33",
    roborally_rule_r34_cascade_the_head_of_the_queue_stands_on_plain: "R34",
    roborally_rule_r34b_the_head_leaves_by_its_own_card_the_queue: "R34b",
    roborally_rule_r35_re_entry_order_is_the_order_of_destruction: "R35",
    roborally_rule_r36_two_belts_may_drop_two_robots_into_the_same: "R36",
    roborally_rule_r37_a_robot_pushed_onto_a_belt_is_carried_by: "R37",
    roborally_rule_r38_a_robot_whose_way_is_blocked_mid_move_keeps: "R38",
    roborally_rule_r39_two_robots_crossing_priority_decides_who_pushes_whom: "R39",
    roborally_rule_r40_a_laser_hit_that_destroys_a_robot_does_not: "R40",
    roborally_game_of_eight_on_twister: "twister",
    roborally_game_of_eight_on_checkmate: "checkmate",
    roborally_game_of_the_papers_program: "rallyrobo",
}
