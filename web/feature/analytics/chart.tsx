import { OPEN_KIND, UNIQUE_KIND } from '#domain/visit.ts';

import { formatCompact, formatDay } from './numbers.ts';
import type { Day } from './numbers.ts';

/** The scale reaches at least to 2, so that a single visit does not fill the whole height. */
const SCALE_TOP_MIN = 2;
const STEPS_MAX = 4;
/** The days that have a label, as shares of the period. */
const LABELLED = [0, 1 / 3, 2 / 3, 1] as const;
/** The share of its day that a bar fills. The bars of a week would be too wide otherwise. */
const BAR_WIDTH = { week: 0.4, longer: 0.72 } as const;
const WEEK_DAYS = 7;

interface ChartProps {
  readonly days: readonly Day[];
  readonly onHover: (day: Day | null) => void;
}

/** Draws the unique visits of each day in front of the opened ones. Screen readers get a table instead. */
export function Chart({ days, onHover }: ChartProps) {
  const most = Math.max(SCALE_TOP_MIN, ...days.map(({ counts }) => counts[OPEN_KIND] ?? 0));
  const step = scaleStep(most);
  const scale = Array.from({ length: Math.ceil(most / step) + 1 }, (_, index) => index * step);
  const top = scale.at(-1) ?? most;
  const width = days.length > WEEK_DAYS ? BAR_WIDTH.longer : BAR_WIDTH.week;
  const bar = (index: number, fill: string, count = 0) => (
    <rect {...{ fill, width }} x={index + (1 - width) / 2} y={top - count} height={count} />
  );
  return (
    <div className="analytics-chart note" aria-hidden="true">
      <div className="analytics-scale">
        {scale.map((count) => (
          <span key={count}>{formatCompact(count)}</span>
        ))}
      </div>
      <svg
        viewBox={`0 0 ${days.length} ${top}`}
        preserveAspectRatio="none"
        onPointerLeave={() => onHover(null)}
      >
        <g stroke="var(--line)">
          {scale.map((count) => (
            <path key={count} d={`M0 ${count}h${days.length}`} vectorEffect="non-scaling-stroke" />
          ))}
        </g>
        {days.map((day, index) => (
          <g key={day.day} onPointerEnter={() => onHover(day)}>
            <rect fill="transparent" x={index} width="1" height={top} />
            {bar(index, 'var(--analytics-opened)', day.counts[OPEN_KIND])}
            {bar(index, 'var(--analytics-unique)', day.counts[UNIQUE_KIND])}
          </g>
        ))}
      </svg>
      <div className="head row">
        {LABELLED.map((share) => (
          <span key={share}>{formatDay(days[Math.round(share * (days.length - 1))]?.day)}</span>
        ))}
      </div>
    </div>
  );
}

/** Returns the smallest of 1, 2, 5, 10, 20, 50 and so on with which a few steps reach the count. */
function scaleStep(most: number): number {
  const power = 10 ** Math.floor(Math.log10(most / STEPS_MAX));
  const factor = [1, 2, 5].find((one) => one * power * STEPS_MAX >= most) ?? 10;
  return Math.max(1, factor * power);
}
