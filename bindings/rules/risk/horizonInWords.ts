/** What a rule's horizon adds to its formula, wherever a risk is shown beside it: `, within 3 steps`; nothing where the risk is that of a violation ever. */
export function horizonInWords(horizonSteps: number | null): string {
  return horizonSteps === null ? '' : `, within ${horizonSteps} ${horizonSteps === 1 ? 'step' : 'steps'}`;
}
