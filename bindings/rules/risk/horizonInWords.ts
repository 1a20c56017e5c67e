/** The suffix of a rule's formula that states its horizon, used wherever a risk is shown: `, within 3 steps`; empty if the risk is that of a violation ever. */
export function horizonInWords(horizonSteps: number | null): string {
  return horizonSteps === null ? '' : `, within ${horizonSteps} ${horizonSteps === 1 ? 'step' : 'steps'}`;
}
