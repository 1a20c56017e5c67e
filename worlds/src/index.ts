export { Random } from '../../bindings/base/random.js';
export {
  type Crosser,
  type CrosserPlan,
  createDrive,
  Drive,
  type DriveOptions,
  type DrivePlan,
  type DrivingScenario,
  type DrivingState,
  defaultPlanner,
  driveTrace,
  drivingScenarios,
  type Leader,
  type LeaderPlan,
  type LightProgram,
  type PathPlace,
  type PlannerParameters,
  type Road,
  type RoadPlan,
  type Scene,
  type Situation,
  type TrafficLight,
  timeLost,
  type Weather,
} from './driving/index.js';
export {
  type ActionName,
  type ActionResult,
  actionNames,
  applyAction,
  type HouseholdAction,
  type Requirement,
  requirementsOf,
} from './household/actions.js';
export { type AgentParameters, defaultAgent, HouseholdAgent } from './household/agent.js';
export { hazardRates, stepWorld } from './household/chance.js';
export { type Condition, conditionText, holds, type Literal } from './household/condition.js';
export { hasTrait, objectTypes, type Room, type Trait } from './household/objectTypes.js';
export { firstAction } from './household/planner.js';
export {
  generateTraces,
  householdTask,
  type Run,
  type RunDecision,
  type RunGuard,
  type RunOptions,
  runAgent,
} from './household/run.js';
export {
  createScene,
  type HouseholdState,
  type ObjectField,
  type ObjectState,
  type Placement,
} from './household/state.js';
export { type HouseholdTask, householdTasks, type Subgoal } from './household/tasks.js';
