import { InvalidArgumentError } from '../../../base/errors.js';
import { downward, upward } from '../../../base/outward.js';
import type { PlanVerdict } from '../../../proofs/planProof/index.js';
import type { GapReason, PlanRisk } from '../../../proofs/planRisk/index.js';

/** What the prediction of a plan's risk takes: a specification, and the model that was learnt with it. */
export interface PredictingChoices {
  readonly spec?: string;
  readonly model?: string;
}

/** What a model says of a plan that is proved, with the rules that it says nothing of; null: nobody asks, or the plan is not proved and will not run. */
export async function predictedRisk(
  verdict: PlanVerdict,
  { spec, model: path }: PredictingChoices,
): Promise<PlanRisk | null> {
  if (spec === undefined && path === undefined) return null;
  if (spec === undefined || path === undefined)
    throw new InvalidArgumentError(
      'the risk of a plan is predicted from --spec, a specification, and --model, which learn wrote with it: give both',
    );
  if (verdict.verdict !== 'proved') return null;
  // The kernel and the reader of models are loaded only here.
  const [{ planRisk }, { loadLearntModel, loadSpecification }, { judgedModel }, { init }] = await Promise.all(
    [
      import('../../../proofs/planRisk/index.js'),
      import('../inputs.js'),
      import('../judgedModel.js'),
      import('../../../solvers/kernel/index.js'),
      import('../../../solvers/kernel/inline.js'),
    ],
  );
  await init();
  const model = await loadLearntModel(path);
  const judged = judgedModel(await loadSpecification(spec), model);
  const risk = planRisk(verdict.verified, judged.specification, model);
  const notJudged = judged.notJudged.map(({ rule, fields }) => ({
    rule,
    why: `it reads what no recording has: ${Object.keys(fields).join(', ')}`,
  }));
  return { ...risk, notPredicted: [...risk.notPredicted, ...notJudged] };
}

const DIGITS = 4;

const REASONS: Readonly<Record<GapReason, string>> = {
  untried: 'was never made so',
  unvisited: 'comes where no recording goes on',
  ended: 'comes after a call with which a recording ends',
};

/** How likely it is that a plan breaks rules, a line each, with what the model does not know. */
export function describeRisk(risk: PlanRisk | null): string[] {
  if (risk === null) return [];
  const { rules, gaps, notPredicted } = risk;
  return [
    ...rules.map(({ rule, lower, upper, recorded, unknown }) => {
      const line = `predicted: ${rule} is broken with probability ${between(lower, upper)}`;
      return unknown === 0
        ? line
        : `${line}; by what is recorded at most ${upward(recorded, DIGITS)}, and at most ${upward(unknown, DIGITS)} that the plan comes to what is not`;
    }),
    ...gaps.map(
      ({ step, tool, reason, states }) =>
        `  not recorded: ${tool} (step ${step}) ${REASONS[reason]}, in ${states} of the model's states`,
    ),
    ...notPredicted.map(({ rule, why }) => `  not predicted: ${rule}: ${why}`),
    risk.model === 'decisions'
      ? 'predicted of runs in which no call fails or is withheld, by what calls led to in the recordings'
      : 'predicted of runs in which no call fails or is withheld, by how the agent of the recordings went on with such calls',
  ];
}

function between(lower: number, upper: number): string {
  const [low, high] = [downward(lower, DIGITS), upward(upper, DIGITS)];
  return low === high ? low : `${low} to ${high}`;
}
