/** A variable of LawBreaker's traffic laws. Every value is a number; truth values are 0 and 1. */
export interface DrivingVariable {
  readonly name: string;
  /** Empty for a number without a unit. */
  readonly unit: string;
  readonly description: string;
  /** Its value if a recording or a world does not state it. */
  readonly default: number;
}

/** The range of "ahead" in metres; distances to absent objects have this value, as in LawBreaker's recordings. */
export const NOTHING_AHEAD = 200;

/**
 * The variables of LawBreaker's traffic laws, with LawBreaker's names and units, common to recordings of Apollo and the driving world.
 * Distances are along the ego vehicle's path, from its front bumper.
 *
 * @see Y. Sun, C. M. Poskitt, J. Sun, Y. Chen, Z. Yang, LawBreaker: an approach for specifying traffic laws and fuzzing
 *   autonomous vehicles, ASE 2022, doi:10.1145/3551349.3556897
 */
export const DRIVING_VARIABLES = [
  { name: 'speed', unit: 'km/h', description: 'speed of the ego vehicle', default: 0 },
  { name: 'acc', unit: 'm/s²', description: 'acceleration of the ego vehicle', default: 0 },
  { name: 'brake', unit: '%', description: 'how far the brake is applied, 0 to 100', default: 0 },
  { name: 'gear', unit: '', description: '0 neutral, 1 drive, 2 reverse, 3 parking', default: 1 },
  { name: 'engineOn', unit: '', description: 'the engine runs', default: 1 },
  { name: 'direction', unit: '', description: 'planned turn: 0 none, 1 left, 2 right', default: 0 },
  { name: 'turnSignal', unit: '', description: '0 off, 1 left, 2 right', default: 0 },
  { name: 'hornOn', unit: '', description: 'the horn sounds', default: 0 },
  { name: 'lowBeamOn', unit: '', description: 'dipped headlights are on', default: 0 },
  { name: 'highBeamOn', unit: '', description: 'main beams are on', default: 0 },
  { name: 'isLaneChanging', unit: '', description: 'the ego vehicle changes lanes', default: 0 },
  { name: 'isOverTaking', unit: '', description: 'the ego vehicle overtakes', default: 0 },
  { name: 'isTurningAround', unit: '', description: 'the ego vehicle makes a U-turn', default: 0 },
  {
    name: 'currentLanenumber',
    unit: '',
    description:
      'number of the lane from the right, 1 the first; 200 and that number in a fast lane; 0 in a junction',
    default: 1,
  },
  {
    name: 'speedLimitlowerLimit',
    unit: 'km/h',
    description: 'least speed allowed in the lane',
    default: 0,
  },
  {
    name: 'speedLimitupperLimit',
    unit: 'km/h',
    description: 'greatest speed allowed in the lane',
    default: 120,
  },
  {
    name: 'trafficLightAheadcolor',
    unit: '',
    description:
      'traffic light of the junction ahead or being crossed: 0 none seen, 1 red, 2 yellow, 3 green',
    default: 0,
  },
  {
    name: 'trafficLightAheadblink',
    unit: '',
    description: 'that traffic light blinks',
    default: 0,
  },
  { name: 'signalAhead', unit: '', description: 'the junction ahead has traffic lights', default: 0 },
  {
    name: 'stoplineAhead',
    unit: 'm',
    description: 'distance to the stop line ahead',
    default: NOTHING_AHEAD,
  },
  {
    name: 'stopSignAhead',
    unit: 'm',
    description: 'distance to the stop sign ahead',
    default: NOTHING_AHEAD,
  },
  {
    name: 'junctionAhead',
    unit: 'm',
    description: 'distance to the junction ahead',
    default: NOTHING_AHEAD,
  },
  {
    name: 'crosswalkAhead',
    unit: 'm',
    description: 'distance to the crosswalk ahead',
    default: NOTHING_AHEAD,
  },
  {
    name: 'PriorityNPCAhead',
    unit: '',
    description: 'a vehicle that has priority is about to cross the path of the ego vehicle',
    default: 0,
  },
  {
    name: 'PriorityPedsAhead',
    unit: '',
    description: 'a pedestrian who has priority is crossing the path of the ego vehicle, or about to',
    default: 0,
  },
  {
    name: 'isTrafficJam',
    unit: '',
    description: 'traffic ahead in the same lane stands, or nearly',
    default: 0,
  },
  {
    name: 'NPCAheadAhead',
    unit: 'm',
    description: 'gap to the vehicle ahead on the same path, between bumpers',
    default: NOTHING_AHEAD,
  },
  {
    name: 'NPCAheadspeed',
    unit: 'km/h',
    description: 'speed of the vehicle ahead; the default, of none, is not that of one that stands',
    default: 120,
  },
  {
    name: 'NearestNPCAhead',
    unit: 'm',
    description: 'distance to the nearest other vehicle, in any direction',
    default: NOTHING_AHEAD,
  },
  { name: 'NearestNPCspeed', unit: 'km/h', description: 'speed of the nearest vehicle', default: 0 },
  {
    name: 'NPCOppositeAhead',
    unit: 'm',
    description: 'distance to the nearest oncoming vehicle ahead',
    default: NOTHING_AHEAD,
  },
  {
    name: 'NPCOppositespeed',
    unit: 'km/h',
    description: 'speed of the nearest oncoming vehicle',
    default: 0,
  },
  { name: 'rain', unit: '', description: 'strength of the rain, 0 to 1', default: 0 },
  { name: 'fog', unit: '', description: 'density of the fog, 0 to 1', default: 0 },
  { name: 'snow', unit: '', description: 'strength of the snow, 0 to 1', default: 0 },
  { name: 'Time', unit: 'h', description: 'local time of day, 0 to 24', default: 12 },
  { name: 'collision', unit: '', description: 'the ego vehicle touches another road user', default: 0 },
  { name: 'reach_destination', unit: '', description: 'the ego vehicle has arrived', default: 0 },
] as const satisfies readonly DrivingVariable[];

/** The name of a variable of `DRIVING_VARIABLES`. */
export type DrivingVariableName = (typeof DRIVING_VARIABLES)[number]['name'];
