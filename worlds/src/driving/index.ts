export { createDrive, Drive, type DriveOptions, driveTrace, timeLost } from './drive.js';
export { defaultPlanner, type PlannerParameters } from './planner.js';
export type { PathPlace, Road, RoadPlan } from './road.js';
export { type DrivingScenario, drivingScenarios } from './scenarios.js';
export type { DrivePlan, Situation, Weather } from './situation.js';
export type { DrivingState } from './state.js';
export type { Crosser, CrosserPlan, Leader, LeaderPlan, Scene } from './traffic.js';
export type { LightProgram, TrafficLight } from './trafficLight.js';
