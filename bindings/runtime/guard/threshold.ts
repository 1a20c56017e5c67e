import type { Threshold } from './guardFile.js';

/** Whether a risk meets a threshold, so that the agent may not go on. A NaN risk meets every threshold. */
export function meetsThreshold({ compare, value }: Threshold, risk: number): boolean {
  switch (compare) {
    case 'risk>=':
      return !(risk < value);
    case 'risk>':
      return !(risk <= value);
    case 'safety<':
      return !(1 - risk >= value);
    case 'safety<=':
      return !(1 - risk > value);
    default:
      return true;
  }
}

/** A threshold in words, `risk >= 0.3`; `number` names what is compared. */
export function describeThreshold({ compare, value }: Threshold, number = 'risk'): string {
  switch (compare) {
    case 'risk>=':
      return `${number} >= ${value}`;
    case 'risk>':
      return `${number} > ${value}`;
    case 'safety<':
      return `1 - ${number} < ${value}`;
    case 'safety<=':
      return `1 - ${number} <= ${value}`;
  }
}

/** The risk at which a threshold is met, or above which. */
export function riskAt({ compare, value }: Threshold): number {
  return compare === 'risk>=' || compare === 'risk>' ? value : 1 - value;
}
