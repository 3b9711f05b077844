import { readFileSync } from 'node:fs';
import { join } from 'node:path';

// On paper: what card views cost at the scale of the internet, from the measured costs of one request.
// Run: npm run bench -- internet

const { figures } = JSON.parse(
  readFileSync(join(import.meta.dirname, 'figures', 'current.json'), 'utf8'),
) as { figures: Readonly<Record<string, number>> };

function measured(name: string): number {
  const value = figures[name];
  if (value === undefined) throw new Error(`bench/figures/current.json has no ${name}.`);
  return value;
}

const VIEWS_A_DAY = [10, 100, 1000].map((millions) => millions * 1_000_000);
/** The parts of requests that the CDN answers. */
const CDN_SHARES = [0, 0.5, 0.9, 0.99];

/** What one view causes, assumed. */
const PHOTOS = 0.5;
const CONTACT_FILES = 0.2;
const CONTACTS = 0.03;
const PHOTO_BYTES = 45_000;
const HEAD_BYTES = 700;

/** The busiest hour has ten times the average. */
const PEAK = 10;
/** Of a core, so that bursts have room. */
const USED_SHARE_MAX = 0.6;
/** Rows that one PostgreSQL reads a second. */
const READS_MAX = 24_000;
/** Inserts with their counters, measured with the embedded database. */
const INSERTS_MAX = measured('group-contacts-rate');
/** 10 Gbit/s of a machine. */
const ORIGIN_BYTES_MAX = 1.25e9;

interface Cost {
  readonly views: number;
  readonly share: number;
  readonly cores: number;
  readonly reads: number;
  readonly inserts: number;
  /** A day, in bytes. */
  readonly traffic: number;
  readonly originTraffic: number;
  readonly bottleneck: string;
}

function simulate(views: number, share: number): Cost {
  const peak = (PEAK * views) / 86_400;
  const passed = peak * (1 - share);
  // A CDN keeps the cards of every hour, so what passes it is the tail, which no node has in memory.
  const missed = share === 0 ? 1 - measured('tail-hits') / 100 : 1;
  const pageMs = share === 0 ? measured('tail-cpu') : measured('miss-cpu');
  const fileMs = measured('hit-cpu');
  const inserts = peak * CONTACTS;
  const ms =
    passed * (pageMs + (PHOTOS + CONTACT_FILES) * fileMs) +
    inserts * measured('save-cpu') +
    peak * measured('visits-cpu');
  const bytes = measured('page-document') + HEAD_BYTES + PHOTOS * PHOTO_BYTES;
  const reads = passed * missed;
  const uses = {
    'processors of the nodes': ms / 1000 / USED_SHARE_MAX,
    // As many cores as one large machine has.
    'reads of the database': (32 * reads) / READS_MAX,
    'inserts of contacts': (32 * inserts) / INSERTS_MAX,
    'network of the origin': (32 * passed * bytes) / ORIGIN_BYTES_MAX,
  };
  const [bottleneck] = Object.entries(uses).reduce((one, other) =>
    other[1] > one[1] ? other : one,
  );
  return {
    views,
    share,
    cores: Math.ceil(uses['processors of the nodes']),
    reads,
    inserts,
    traffic: views * bytes,
    originTraffic: views * (1 - share) * bytes,
    bottleneck,
  };
}

const whole = (value: number) => Math.round(value).toLocaleString('en');
const terabytes = (bytes: number) => `${(bytes / 1e12).toFixed(2)} TB`;

export function table(): string {
  const rows = VIEWS_A_DAY.flatMap((views) => CDN_SHARES.map((share) => simulate(views, share)));
  return [
    '| views a day | by the CDN | cores | reads/s | inserts/s | traffic a day | of it from the nodes | first bottleneck |',
    '| ----------- | ---------- | ----- | ------- | --------- | ------------- | -------------------- | ---------------- |',
    ...rows.map(
      (row) =>
        `| ${whole(row.views)} | ${row.share * 100} % | ${row.cores} | ${whole(row.reads)} | ${whole(row.inserts)} | ${terabytes(row.traffic)} | ${terabytes(row.originTraffic)} | ${row.bottleneck} |`,
    ),
  ].join('\n');
}
