/**
 * What a vehicle observes, every time an object of the same shape, as one that its software keeps would be; of objects of many shapes
 * the engine copies each number to the heap to read it.
 */
export const observationOf = (state) => ({
  trafficLightAheadcolor: state.trafficLightAheadcolor,
  speed: state.speed,
  speedLimitupperLimit: state.speedLimitupperLimit,
  stoplineAhead: state.stoplineAhead,
  junctionAhead: state.junctionAhead,
  currentLanenumber: state.currentLanenumber,
  PriorityNPCAhead: state.PriorityNPCAhead,
  PriorityPedsAhead: state.PriorityPedsAhead,
  NPCAheadAhead: state.NPCAheadAhead,
  NPCAheadspeed: state.NPCAheadspeed,
  isTrafficJam: state.isTrafficJam,
});

/** One to be written again and again. Fractions first, so that every field is a double's from the start. */
export const observed = observationOf(new Proxy({}, { get: () => 0.5 }));

/** Writes what is new over the last observation, as a control loop does. */
export function observe(state) {
  observed.trafficLightAheadcolor = state.trafficLightAheadcolor;
  observed.speed = state.speed;
  observed.speedLimitupperLimit = state.speedLimitupperLimit;
  observed.stoplineAhead = state.stoplineAhead;
  observed.junctionAhead = state.junctionAhead;
  observed.currentLanenumber = state.currentLanenumber;
  observed.PriorityNPCAhead = state.PriorityNPCAhead;
  observed.PriorityPedsAhead = state.PriorityPedsAhead;
  observed.NPCAheadAhead = state.NPCAheadAhead;
  observed.NPCAheadspeed = state.NPCAheadspeed;
  observed.isTrafficJam = state.isTrafficJam;
}
