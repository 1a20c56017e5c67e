import { InvalidArgumentError } from '../../../base/errors.js';
import { printableLines } from '../../../base/words.js';
import { verifyPlan } from '../../../proofs/planProof/index.js';
import { planDot, planJson, planSvg, planWords, printPlan } from '../../../proofs/workflow/index.js';
import type { Outcome } from '../terminal.js';
import { loadProof, type ProvingChoices } from './load.js';
import { describeRisk, type PredictingChoices, predictedRisk } from './risk.js';
import { describeVerdict, jsonOf } from './verify.js';

interface ExplainChoices extends ProvingChoices, PredictingChoices {
  readonly dot?: boolean;
  readonly svg?: boolean;
  readonly code?: boolean;
}

/** `foreguard workflow explain`: what a plan does, in words, as a picture or as code, with what is proved of it. */
export async function workflowExplain({ dot, svg, code, ...choices }: ExplainChoices): Promise<Outcome> {
  const forms = [dot, svg, code].filter((one) => one === true).length;
  if (forms > 1)
    throw new InvalidArgumentError('--dot, --svg and --code are three ways to write a plan; give one');
  const { plan, contracts, options } = await loadProof(choices);
  const verdict = verifyPlan(plan, contracts, options);
  const risk = await predictedRisk(verdict, choices);
  const words = planWords(plan);
  const json = { ...jsonOf(choices.plan, verdict), ...(risk && { risk }), words, plan: planJson(plan) };
  if (dot) return { json, text: planDot(plan).trimEnd(), isCode: true };
  if (svg) return { json, text: planSvg(plan).trimEnd(), isCode: true };
  if (code) return { json, text: printPlan(plan).trimEnd(), isCode: true };
  return {
    json,
    text: printableLines(
      [words.trimEnd(), '', ...describeVerdict(verdict), ...describeRisk(risk)].join('\n'),
    ),
  };
}
