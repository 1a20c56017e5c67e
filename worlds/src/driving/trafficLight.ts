/** Colours as LawBreaker numbers them. */
export const NO_LIGHT = 0;
export const RED = 1;
export const YELLOW = 2;
export const GREEN = 3;

/** When a traffic light changes; seconds. After `red` it is green again, for ever. */
export interface LightProgram {
  /** When the first green ends; 0 begins with yellow. */
  readonly yellowAt: number;
  /** Default 3. */
  readonly yellowSeconds?: number;
  readonly redSeconds: number;
}

/** A traffic light that shows green, yellow, red and green once. */
export class TrafficLight {
  readonly yellowAt: number;
  readonly redAt: number;
  readonly greenAt: number;

  constructor(program: LightProgram) {
    this.yellowAt = program.yellowAt;
    this.redAt = program.yellowAt + (program.yellowSeconds ?? 3);
    this.greenAt = this.redAt + program.redSeconds;
  }

  /** Now; the time is handed over in an object, as all numbers are within a step. */
  colourAt({ time }: { readonly time: number }): number {
    if (time < this.yellowAt || time >= this.greenAt) return GREEN;
    return time < this.redAt ? YELLOW : RED;
  }
}
