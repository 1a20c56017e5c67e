export { createDrive, Drive, type DriveOptions, driveTrace, timeLost } from './drive.js';
export { defaultPlanner, type PlannerParameters } from './planner.js';
export { type DrivingScenario, drivingScenarios, lawAt } from './scenarios.js';
export type { DrivingState } from './state.js';
