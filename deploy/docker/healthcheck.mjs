// The health check of the images: the process responds. With METRICS_PORT it asks there, which works for workers, too.
const { METRICS_PORT, PORT = "4400", ROLE } = process.env;
const isWorker = ROLE === "worker" && !METRICS_PORT;
const url = METRICS_PORT ? `http://127.0.0.1:${METRICS_PORT}/livez` : `http://127.0.0.1:${PORT}/healthz`;

// Without METRICS_PORT a worker listens on no port: it ends when it cannot work.
if (isWorker) process.exit(0);
try {
  const { ok } = await fetch(url, { signal: AbortSignal.timeout(8_000) });
  process.exit(ok ? 0 : 1);
} catch {
  process.exit(1);
}
