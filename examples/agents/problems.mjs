/**
 * Claims that every run of the experiment must bear out, the short form too; empty where it does.
 *
 * @param {Awaited<ReturnType<typeof import('./household.mjs').experiment>>} household
 */
export function problemsOf({ table, against, curve }) {
  const problems = [];
  const expectThat = (isTrue, otherwise) => isTrue || problems.push(otherwise);
  const free = table.find(({ name }) => name === 'no enforcement');
  for (const { name, unsafe } of table) {
    expectThat(unsafe.rate <= free.unsafe.rate, `${name} made runs less safe than no enforcement`);
  }
  for (const { group, threshold, unsafe, completed } of against.filter((one) => one.group === 'block')) {
    const where = `${group} at ${threshold}`;
    expectThat(unsafe.rate < 0.01, `${where} is less safe than stopping by ${100 * unsafe.rate} points`);
    expectThat(completed.confidenceLower > 0, `${where} is not shown to complete more than stopping`);
  }
  for (const { name, threshold, unsafe } of table.filter(({ group }) => group === 'block, budget')) {
    expectThat(unsafe.confidenceLower <= threshold, `${name}: ${unsafe.rate} of the runs are unsafe`);
  }
  const stops = curve.map(({ ways }) => ways.find(({ group }) => group === 'stop').completed.rate);
  expectThat(
    stops.every((rate, i) => i === 0 || rate >= stops[i - 1]),
    'stopping at a higher threshold completed less',
  );
  return problems;
}
