import { fail, failAs, fields, list, oneOf, onlyKeys, type Path, text } from './checks.js';
import type { GuardPolicies } from './guardFile.js';
import type { Judge } from './judge.js';
import { judgeOfPolicies, policyJudge } from './policyJudge.js';

const STRATEGIES = ['stop', 'block', 'inspect', 'reflect'];

/** The judge of a guard file's policies, with what their conditions need. @throws InvalidArgumentError, ParseError (rejects) if they are damaged */
export async function loadPolicies(policies: GuardPolicies): Promise<Judge> {
  checkPolicies(policies);
  return policyJudge(policies.set, policies.hash);
}

/** As `loadPolicies`, of policies whose conditions need nothing that is not loaded. @throws NotSupportedError, too */
export function openPolicies(policies: GuardPolicies): Judge {
  checkPolicies(policies);
  return judgeOfPolicies(policies.set, policies.hash);
}

/** Checks what decisions rest on, so that a damaged file is refused when it is loaded and not at a call. */
function checkPolicies(value: GuardPolicies): void {
  const path = 'policies.set';
  const set = fields(value.set, path);
  onlyKeys(set, path, ['format', 'version', 'inputs', 'policies', 'uncoveredTools']);
  oneOf(set.uncoveredTools, `${path}.uncoveredTools`, ['deny', 'permit']);
  list(set.inputs, `${path}.inputs`).forEach((item, i) => {
    checkInput(item, `${path}.inputs[${i}]`);
  });
  const policies = list(set.policies, `${path}.policies`);
  if (policies.length === 0) failAs(`${path}.policies`, 'empty', 'at least one policy');
  policies.forEach((item, i) => {
    checkPolicy(item, `${path}.policies[${i}]`);
  });
}

function checkInput(value: unknown, path: Path): void {
  const input = fields(value, path);
  onlyKeys(input, path, ['name', 'from', 'type', 'optional', 'untrusted', 'extract']);
  text(input.name, `${path}.name`);
  text(input.from, `${path}.from`);
  if (input.extract !== undefined) text(input.extract, `${path}.extract`);
  const { kind } = fields(input.type, `${path}.type`);
  oneOf(kind, `${path}.type.kind`, ['text', 'number', 'boolean', 'integer', 'enum', 'list']);
  for (const key of ['optional', 'untrusted'])
    if (input[key] !== undefined && typeof input[key] !== 'boolean')
      fail(`${path}.${key}`, input[key], 'true or false');
}

function checkPolicy(value: unknown, path: Path): void {
  const policy = fields(value, path);
  onlyKeys(policy, path, ['name', 'tools', 'requires', 'permit', 'forbid', 'reads', 'onDeny']);
  text(policy.name, `${path}.name`);
  for (const key of ['tools', 'reads'])
    list(policy[key], `${path}.${key}`).forEach((item, i) => {
      text(item, `${path}.${key}[${i}]`);
    });
  for (const key of ['permit', 'forbid'])
    list(policy[key], `${path}.${key}`).forEach((item, i) => {
      checkCondition(item, `${path}.${key}[${i}]`);
    });
  if (policy.requires !== null) checkCondition(policy.requires, `${path}.requires`);
  const onDeny = fields(policy.onDeny, `${path}.onDeny`);
  oneOf(onDeny.scope, `${path}.onDeny.scope`, ['call', 'turn']);
  if (onDeny.suggest !== undefined && onDeny.suggest !== true)
    fail(`${path}.onDeny.suggest`, onDeny.suggest, 'true, or nothing');
  const strategies = [onDeny.strategy, ...list(onDeny.escalate, `${path}.onDeny.escalate`)];
  for (const one of strategies)
    oneOf(fields(one, `${path}.onDeny`).kind, `${path}.onDeny: a strategy's kind`, STRATEGIES);
}

function checkCondition(value: unknown, path: Path): void {
  const condition = fields(value, path);
  onlyKeys(condition, path, ['name', 'expression', 'tree', 'reason']);
  text(condition.name, `${path}.name`);
  text(condition.expression, `${path}.expression`);
  if (condition.reason !== undefined) text(condition.reason, `${path}.reason`);
}
