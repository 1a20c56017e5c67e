import { InvalidArgumentError } from '../../base/errors.js';
import {
  type ActionSupport,
  type CertifiedRisk,
  type CertifyOptions,
  certifyMdp,
  type MdpRuleCertificate,
} from '../../rules/risk/index.js';
import type { Specification } from '../../rules/specification/index.js';
import type { Model } from '../../solvers/model/index.js';
import { confidence, downward, number, upward } from './certifiedNumbers.js';
import { certificateJson, describeSupports } from './describeCertificate.js';
import { describePlan } from './describePlan.js';
import { ruleHead, shownState } from './shownRule.js';
import { type Outcome, table } from './terminal.js';
import { describeRest, worst } from './worstEntries.js';

/** `foreguard certify` of a decision process. @throws InvalidArgumentError if the model is not a decision process */
export function certifyDecisions(
  specification: Specification,
  model: Model,
  options: CertifyOptions,
  shown: number,
): Outcome {
  if (model.type !== 'mdp') {
    throw new InvalidArgumentError(
      `learning.model is mdp in ${specification.source}, but the model is not a decision process; learn it again with this specification`,
    );
  }
  const certificate = certifyMdp(specification, model, options);
  const { delta, rules } = certificate;
  return {
    json: certificateJson(certificate),
    text: [
      `With confidence ${confidence(delta)}, in all states and of all rules at once, however often one looks: the least and the greatest risk, over all ways to choose among the actions that were seen, and the risk of choosing as the agent did, lie in their intervals, if what an action leads to depends on the state alone.`,
      ...rules.map((rule) => describeRule(rule, shown)),
      describeSupports(certificate, certificate.actions, shown, nameOf),
      ...(certificate.plan === null ? [] : [describePlan(certificate.plan, shown)]),
    ].join('\n\n'),
  };
}

function describeRule(rule: MdpRuleCertificate, shown: number): string {
  const { start, entries, criteria } = rule;
  const open = entries.filter(({ verdict }) => verdict === 'open');
  const history = new Set(open.map(({ automatonState }) => automatonState)).size > 1;
  const listed = worst(entries, shown);
  const rows = listed.map(
    ({ least, greatest, asAgent, draws, verdict, automatonState, unbounded, ...state }) => [
      interval(asAgent),
      interval(least),
      interval(greatest),
      String(draws),
      verdict,
      ...(history ? [String(automatonState)] : []),
      unbounded === null ? shownState(state) : `${shownState(state)}; ${unbounded}`,
    ],
  );
  const header = [
    'as the agent',
    'least',
    'greatest',
    'left',
    'verdict',
    ...(history ? ['automaton'] : []),
    'state',
  ];
  const { epsilon, firstMet, secondMet, amplification } = criteria;
  const met = (is: boolean): string => (is ? 'met' : 'not met');
  const endless = amplification === Number.POSITIVE_INFINITY;
  return [
    ...ruleHead(rule),
    `before the first step: as the agent ${interval(start.asAgent)}, least ${interval(start.least)}, greatest ${interval(start.greatest)}`,
    table(header, rows),
    ...describeRest(entries, listed, ({ asAgent }) => asAgent.confidenceUpper),
    `the papers' criteria at epsilon ${epsilon}, with states and actions for states, which are not guarantees: the first is ${met(firstMet)}; the second is ${met(secondMet)}, with ${endless ? 'no B: some actions can be repeated for ever' : `B = ${number(amplification)}`}`,
  ].join('\n');
}

function nameOf({ action, state, draws }: ActionSupport): string {
  return action ?? (state < 0 || draws === 0 ? '' : '(none)');
}

function interval({ confidenceLower, confidenceUpper }: CertifiedRisk): string {
  return `${downward(confidenceLower)} to ${upward(confidenceUpper)}`;
}
