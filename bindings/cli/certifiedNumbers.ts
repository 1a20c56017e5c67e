/** Printed bounds are bounds: rounded outward. */
export function upward(probability: number): string {
  return (Math.ceil(probability * 1e4) / 1e4).toFixed(4);
}

export function downward(probability: number): string {
  return (Math.floor(probability * 1e4) / 1e4).toFixed(4);
}

export function number(value: number): string {
  return String(Number(value.toPrecision(4)));
}

/** 1 - delta in all its digits: confidence that is rounded up to 1 would be a promise that nobody made. */
export function confidence(delta: number): string {
  return delta < 1e-3 ? `1 - ${delta}` : String(Number((1 - delta).toPrecision(12)));
}

/** Draws there are for each that is asked for. */
export function supply({ draws, needed }: { readonly draws: number; readonly needed: number }): number {
  return needed === 0 ? Number.POSITIVE_INFINITY : draws / needed;
}
