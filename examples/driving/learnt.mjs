import { Abstraction, compileGuard, learn, parseSpecification, riskTable } from 'foreguard';
import { driveTrace } from 'foreguard-worlds';

export const ruleName = 'law';

/** Drives with seeds from `firstSeed` on, one after the other. */
export function* drives(scenario, { firstSeed, count, hz = scenario.hz }) {
  for (let i = 0; i < count; i++) yield driveTrace(scenario, { seed: firstSeed + i, hz });
}

/**
 * Learns a scenario's chain from drives, solves the risk of its law, and compiles the guard. The abstraction is what the law
 * compares, which `parseSpecification` finds by itself, and the predicates given.
 */
export async function learnScenario(scenario, { predicates, firstSeed, count, hz = scenario.hz }) {
  const began = performance.now();
  const specification = parseSpecification(
    JSON.stringify({
      version: 1,
      samplingPeriod: `${1 / hz}s`,
      predicates,
      rules: { [ruleName]: { formula: scenario.formula, threshold: 0.5 } },
      // Nothing is smoothed in: what was never seen has probability 0, and a state never seen has risk 1.
      learning: { smoothing: 0 },
    }),
    { source: scenario.name },
  );
  const abstraction = new Abstraction(specification.abstraction);
  const { model, report } = await learn(
    abstraction,
    drives(scenario, { firstSeed, count, hz }),
    specification.learning,
  );
  const learntAfter = performance.now();
  const guardFile = compileGuard(specification, model);
  const solvedAfter = performance.now();
  return {
    specification,
    model,
    report,
    guardFile,
    learnSeconds: (learntAfter - began) / 1000,
    compileSeconds: (solvedAfter - learntAfter) / 1000,
    risks: () => riskTable(specification, model).rules[0],
  };
}

/** The guard file with another level: what is done at a probability of keeping the law below `minimumSafe`. */
function atLevel(guardFile, minimumSafe, strategy) {
  const levels = [{ threshold: { compare: 'safety<', value: minimumSafe }, strategy }];
  const rules = guardFile.rules.map((rule) => ({ ...rule, levels, afterViolation: { kind: 'report' } }));
  return { ...guardFile, rules };
}

/** A guard file that has `action` done in place of what was planned, where states are unknown too. */
export function enforcing(guardFile, minimumSafe, action) {
  return atLevel(guardFile, minimumSafe, { kind: 'replace', action });
}

/** A guard file that only tells when the law is broken. */
export function judging(guardFile) {
  return atLevel(guardFile, 0, { kind: 'report' });
}
