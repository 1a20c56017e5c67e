/**
 * What a chain sees of each scenario besides the comparisons of its law: predicates over LawBreaker's variables. A
 * deceleration of d m/s² over s metres takes a speed of sqrt(2 d s) m/s, so speed² in (km/h)² is 25.92 d s.
 */
const standing = { standing: 'speed < 0.5' };
const pace = { slow: 'speed < 10', fast: 'speed >= 30' };
const braking = { braking: 'acc < -0.5' };

/** How hard it would have to brake for something so many metres ahead: not at all hard, firmly, or harder than it can. */
const brakingFor = (name, distance) => ({
  [`must_brake_for_${name}`]: `speed * speed > 26 * ${distance}`,
  [`must_brake_hard_for_${name}`]: `speed * speed > 78 * ${distance}`,
  [`cannot_stop_for_${name}`]: `speed * speed > 150 * ${distance}`,
});

const atRedLight = {
  ...standing,
  ...braking,
  green: 'trafficLightAheadcolor == 3',
  line_behind: 'stoplineAhead >= 200',
  line_within_30: 'stoplineAhead <= 30',
  line_within_5: 'stoplineAhead <= 5',
  line_within_4: 'stoplineAhead <= 4',
  line_within_3: 'stoplineAhead <= 3',
  ...brakingFor('line', 'stoplineAhead'),
};

/** Whether something so many metres away is there within so many seconds at its speed in km/h. */
const arrivesWithin = (seconds, name, distance, speed) => ({
  [`${name}_within_${String(seconds).replace('.', '_')}s`]: `${distance} * 3.6 <= ${seconds} * ${speed}`,
});

/** Predicates by name of scenario. */
export const context = {
  'yellow-light': {
    ...standing,
    ...braking,
    red: 'trafficLightAheadcolor == 1',
    line_behind: 'stoplineAhead >= 200',
    line_within_15: 'stoplineAhead <= 15',
    ...brakingFor('line', 'stoplineAhead'),
  },
  'red-light': atRedLight,
  'left-turn': {
    ...standing,
    slow: 'speed < 10',
    ...braking,
    vehicle_about_to_cross: 'PriorityNPCAhead == 1',
    person_about_to_cross: 'PriorityPedsAhead == 1',
    before_junction: 'junctionAhead < 200',
    junction_within_10: 'junctionAhead <= 10',
    in_junction: 'currentLanenumber == 0',
    ...arrivesWithin(1, 'oncoming', 'NPCOppositeAhead', 'NPCOppositespeed'),
    ...arrivesWithin(2, 'oncoming', 'NPCOppositeAhead', 'NPCOppositespeed'),
    ...arrivesWithin(3, 'oncoming', 'NPCOppositeAhead', 'NPCOppositespeed'),
    vehicle_within_8: 'NearestNPCAhead <= 8',
    vehicle_within_4: 'NearestNPCAhead <= 4',
  },
  'red-queue': {
    ...atRedLight,
    vehicle_within_2: 'NPCAheadAhead <= 2',
    vehicle_within_1: 'NPCAheadAhead <= 1',
  },
  'red-light-in-snow': atRedLight,
  crosswalk: {
    ...standing,
    ...braking,
    person_about_to_cross: 'PriorityPedsAhead == 1',
    crosswalk_ahead: 'crosswalkAhead < 200',
    ...arrivesWithin(1, 'it_at_crosswalk', 'crosswalkAhead', 'speed'),
    ...arrivesWithin(2, 'it_at_crosswalk', 'crosswalkAhead', 'speed'),
    must_brake_hard_for_crosswalk: 'speed * speed > 78 * crosswalkAhead',
    cannot_stop_for_crosswalk: 'speed * speed > 150 * crosswalkAhead',
  },
  'traffic-jam': {
    ...standing,
    ...pace,
    vehicle_within_3: 'NPCAheadAhead <= 3',
    vehicle_within_8: 'NPCAheadAhead <= 8',
    vehicle_slow: 'NPCAheadspeed < 10',
  },
  'fast-lane': {
    changing_lanes: 'isLaneChanging == 1',
    limit_within_1: 'speed > speedLimitupperLimit - 1',
    limit_within_4: 'speed > speedLimitupperLimit - 4',
    limit_within_8: 'speed > speedLimitupperLimit - 8',
    limit_within_16: 'speed > speedLimitupperLimit - 16',
    limit_below_70: 'speedLimitupperLimit < 70',
    limit_below_60: 'speedLimitupperLimit < 60',
    ...braking,
    accelerating: 'acc > 0.3',
  },
  'into-the-junction': {
    ...standing,
    ...pace,
    junction_within_20: 'junctionAhead <= 20',
    junction_within_3: 'junctionAhead <= 3',
    junction_behind: 'junctionAhead >= 200',
    vehicle_within_5: 'NPCAheadAhead <= 5',
    vehicle_within_2: 'NPCAheadAhead <= 2',
    vehicle_stands: 'NPCAheadspeed < 0.5',
  },
};

/**
 * Steps between the borders that a law has, or between doing nothing and braking hard, where they make risks better on the drives
 * for tuning (`tune.mjs`): for the red lights of law 51_5, which speaks of two metres and 0.5 km/h; for people, who can only be
 * stopped for; for a lower speed limit, which shows in how the driver lets go of the accelerator before anything else.
 */
const beforeTheLine = {
  crawling: 'speed < 3',
  line_within_3_5: 'stoplineAhead <= 3.5',
  line_within_2_75: 'stoplineAhead <= 2.75',
  line_within_2_5: 'stoplineAhead <= 2.5',
  line_within_2_25: 'stoplineAhead <= 2.25',
};
const ladders = {
  'red-light': beforeTheLine,
  'red-queue': beforeTheLine,
  'red-light-in-snow': beforeTheLine,
  crosswalk: {
    ...pace,
    accelerating: 'acc > 0.3',
    braking_hard: 'acc < -3',
    ...arrivesWithin(0.5, 'it_at_crosswalk', 'crosswalkAhead', 'speed'),
    ...arrivesWithin(1.5, 'it_at_crosswalk', 'crosswalkAhead', 'speed'),
    crosswalk_within_6: 'crosswalkAhead <= 6',
    crosswalk_within_3: 'crosswalkAhead <= 3',
  },
  'fast-lane': { rolling: 'acc < 0', slowing: 'acc < -0.2', accelerating_gently: 'acc > 0.1' },
};

/** What a chain sees of a scenario besides its law: context and, where there is one, a ladder. */
export function predicatesOf(name) {
  return { ...context[name], ...ladders[name] };
}

/** The second paper's Table 2 speaks of these alone, in its left turn. */
export const paperPredicates = {
  priority_ahead: 'PriorityNPCAhead == 1 || PriorityPedsAhead == 1',
  moving: 'speed > 0.5',
  arrived: 'reach_destination == 1',
};
