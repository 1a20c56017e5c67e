// Preloaded by package.mjs: says on standard error what the process took, in microseconds of all its threads.
process.on('exit', () => {
  const { user, system } = process.cpuUsage();
  process.stderr.write(`processor time: ${user + system} µs\n`);
});
