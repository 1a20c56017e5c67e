/** One model with its properties: builds it once, checks each property, and holds the answer against what is published. */
import { readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { judge, parseExpected, parseFraction, publishedExpected } from './expectation.mjs';
import { compareExports, importModel } from './importExport.mjs';
import { resultFor, resultLines } from './resultLines.mjs';
import { runChain } from './runChain.mjs';

/**
 * @param api What the package exports
 * @param emit Called once with { plan: [names of the tests] }, then for each test with { name, outcome, detail }, and
 * whatever else is to be reported
 */
export function runInstance(api, job, emit) {
  if (job.unsupported) {
    emit({ plan: [] });
    emit({ name: 'all properties', outcome: 'unsupported', detail: job.unsupported });
  } else if (job.kind === 'import-export') runImportExport(api, job, emit);
  else if (job.kind === 'published chain') runChain(api, job, emit);
  else runProperties(api, job, emit);
}

function runProperties(api, job, emit) {
  const source = readFileSync(job.properties, 'utf8');
  const file = api.parseProperties(source, { name: basename(job.properties), skipInvalid: true });
  const tests = testsOf(file, source, job);
  const counted = job.published && job.states !== undefined ? [STATES] : [];
  emit({ plan: [...counted, ...tests.map(({ name }) => name)] });
  let built;
  try {
    built = buildFor(api, job, file);
  } catch (error) {
    const failure = { error: asFailure(api, error) };
    if (counted.length > 0) emit({ name: STATES, ...judge(NOTHING, failure) });
    for (const test of tests) emit({ name: test.name, ...verdict(api, test, failure, new Map()) });
    return;
  }
  if (counted.length > 0) emit({ name: STATES, ...judgeStates(api, job, file, built) });
  const constants = constantsOf(api, file, built, job);
  let checker;
  const check = (property) => {
    checker ??= api.openChecker(built, file, { constants: job.constants, exact: job.exact ?? false });
    return plain(checker.check(property));
  };
  for (const test of tests) {
    const result = test.error
      ? { error: asFailure(api, test.error) }
      : test.skip
        ? {}
        : attempt(api, () => check(test.property));
    emit({ name: test.name, ...verdict(api, test, result, constants) });
  }
  checker?.free();
}

const STATES = 'number of states';
const NOTHING = { kind: 'anything', text: '?' };

/** Ten times as many states as published are more than targets hide elsewhere. */
const FAR_MORE = 10;

/** The model, without what lies behind the target that the only property asks about where there are far more states than published. */
function buildFor(api, job, file) {
  if (!(job.states > 0) || file.properties.length !== 1) return buildModel(api, job);
  try {
    return buildModel(api, { ...job, maxStates: Math.min(job.maxStates ?? Infinity, FAR_MORE * job.states) });
  } catch (error) {
    const stopAt = firstTarget(api, job, file);
    if (stopAt.length === 0 || !/--max-states/.test(error.message)) throw error;
    return buildModel(api, job, stopAt);
  }
}

/** Some counts were published by a tool that does not explore what lies behind the states that a property asks about. */
function judgeStates(api, job, file, built) {
  const passed = { outcome: 'passed', detail: `${job.states} states` };
  const found = built.model.states;
  if (found === job.states) return passed;
  const stopAt = firstTarget(api, job, file);
  if (found > job.states && stopAt.length > 0) {
    if (buildModel(api, job, stopAt).model.states === job.states) return passed;
  }
  return { outcome: 'failed', detail: `expected ${job.states} states, found ${found}` };
}

/** What the first property that asks for reaching some states asks for, if the variables decide it. */
function firstTarget(api, job, { properties, labels }) {
  const named = new Map([...parseModel(api, job).labels, ...labels].map((label) => [label.name, label]));
  return properties
    .flatMap(({ expression: { path } }) =>
      path?.operator === 'F' && path.bound === null ? [withoutLabels(path.operand, named)] : [],
    )
    .filter(
      (target) => !/"kind":"(probability|reward|steadyState|quantified|filter)"/.test(JSON.stringify(target)),
    )
    .slice(0, 1);
}

/** A syntax tree with what labels stand for in their place. */
function withoutLabels(tree, labels) {
  if (typeof tree !== 'object' || tree === null) return tree;
  if (Array.isArray(tree)) return tree.map((part) => withoutLabels(part, labels));
  if (tree.kind === 'label') return withoutLabels(labels.get(tree.name)?.expression ?? tree.name, labels);
  return Object.fromEntries(Object.entries(tree).map(([key, part]) => [key, withoutLabels(part, labels)]));
}

/** What is to be tested of a file: { name, property or error, and what is published, as comments or by name }. */
function testsOf({ properties, invalid }, source, job) {
  const named = properties.map((property, i) => ({
    name: property.name ?? property.text,
    label: property.name,
    number: String(i + 1),
    property,
    lines: resultLines(source, property.place.offset),
  }));
  if (job.published) {
    const tests = Object.entries(job.published).map(([name, published]) => {
      const found = named.find(({ label }) => label === name) ?? invalid.find((one) => one.name === name);
      return { ...(found ?? { error: new Error(`there is no property "${name}"`) }), name, published };
    });
    return [...tests, ...(job.unpublished ?? []).map((name) => ({ name, skip: 'no result is published' }))];
  }
  const all = [
    ...named,
    ...invalid.map(({ name, text, place, error }) => ({
      name: name ?? text,
      label: name,
      error,
      place,
      lines: resultLines(source, place.offset),
    })),
  ];
  return unique(
    all.filter(({ label, number }) => job.property === undefined || [label, number].includes(job.property)),
  );
}

/** Names tell tests apart. */
function unique(tests) {
  const seen = new Map();
  return tests.map((test) => {
    const count = (seen.get(test.name) ?? 0) + 1;
    seen.set(test.name, count);
    return count === 1 ? test : { ...test, name: `${test.name} (${count})` };
  });
}

function verdict(api, test, result, constants) {
  if (test.skip) return { outcome: 'skipped', detail: test.skip };
  if (test.published) return judge(publishedExpected(test.published), result);
  const text = resultFor(test.lines, (name, value) => hasValue(constants.get(name), value));
  if (text === undefined) return { outcome: 'skipped', detail: 'no result is published for these constants' };
  try {
    return judge(
      parseExpected(text, (expression) => api.evaluate(expression, constants)),
      result,
    );
  } catch (error) {
    // An expression over constants that were never known, since the model was refused.
    if (result.error) return judge(NOTHING, result);
    return { outcome: 'failed', detail: `the result "${text}" cannot be read: ${error.message}` };
  }
}

function hasValue(constant, text) {
  if (constant === undefined) return false;
  if (typeof constant.value === 'boolean') return String(constant.value) === text;
  const value = parseFraction(text);
  return value !== undefined && Number(value.numerator) / Number(value.denominator) === constant.value;
}

function parseModel(api, job) {
  return api.parseModel(readFileSync(job.model, 'utf8'), { name: basename(job.model) });
}

function buildModel(api, job, stopAt = []) {
  const parsed = parseModel(api, job);
  const declared = new Set(parsed.constants.map(({ name }) => name));
  const constants = Object.fromEntries(Object.entries(job.constants).filter(([name]) => declared.has(name)));
  const model = job.type ? { ...parsed, type: job.type } : parsed;
  return api.build(model, {
    constants,
    exact: job.exact ?? false,
    stopAt,
    ...(job.maxStates && { maxStates: job.maxStates }),
  });
}

/** Constants of the model and of the file, for results that depend on them. */
function constantsOf(api, file, built, job) {
  try {
    return api.resolveConstants(
      file.constants,
      file.formulas,
      job.constants,
      file.text,
      built.scope.constants,
    );
  } catch {
    return built.scope.constants; // those that need one without a value say so themselves
  }
}

function runImportExport(api, job, emit) {
  emit({ plan: ['import and export'] });
  const outcomes = attempt(api, () => {
    const built = job.imports.length === 0 && job.model ? buildModel(api, job) : undefined;
    const model = built?.model ?? importModel(api, job.directory, job.imports);
    return compareExports(api, job.directory, job.exports, model, built?.variables);
  });
  if (outcomes.error) {
    emit({ name: 'import and export', ...judge({ kind: 'special', text: 'a model' }, outcomes) });
    return;
  }
  for (const outcome of outcomes) emit(outcome);
}

function attempt(api, work) {
  try {
    return work();
  } catch (error) {
    return { error: asFailure(api, error) };
  }
}

/** Errors thrown on purpose count as answers; any other is a fault, and its stack's top helps to find it. */
function asFailure(api, error) {
  if (error instanceof api.ForeguardError) {
    const code = /--max-states/.test(error.message) ? 'limit' : error.code;
    return { code, message: error.message };
  }
  const place = /\n\s+at (.*)/.exec(error.stack ?? '')?.[1] ?? '';
  return { code: 'fault', message: `${error.name}: ${error.message.split('\n', 1)[0]} (${place})` };
}

function plain({ kind, value, lower, upper, exact }) {
  if (kind === 'states') return { value: `${value} states` };
  return { value, ...(lower !== undefined && { lower, upper }), ...(exact && { exact }) };
}
