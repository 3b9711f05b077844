import { Suspense, lazy, useState } from 'react';
import type { ReactNode } from 'react';

import { OPEN_KIND, UNIQUE_KIND } from '#domain/visit.ts';
import { useMediaQuery } from '#web/ui/media-query.ts';

import { formatCount, formatDay, formatLongDay, formatShare } from './format.ts';
import { linksByTaps, total } from './numbers.ts';
import type { Day } from './numbers.ts';

/** Its library is loaded with the first chart, so that the worker does not store it before. */
const Chart = lazy(async () => ({ default: (await import('./chart.tsx')).Chart }));

interface DaysProps {
  readonly days: readonly Day[];
}

export function Report({ days }: DaysProps) {
  return (
    <>
      <Visits days={days} />
      <div className="analytics-columns">
        <Funnel days={days} />
        <Links days={days} />
        <EachDay days={days} />
      </div>
    </>
  );
}

function Visits({ days }: DaysProps) {
  const [hovered, setHovered] = useState<Day | null>(null);
  const isDark = useMediaQuery('(prefers-color-scheme: dark)');
  return (
    <section className="analytics-panel" aria-label="Visits">
      <dl className="analytics-totals">
        <div className="analytics-opened">
          <dt>Opened</dt>
          <dd>{formatCount(total(days, OPEN_KIND))}</dd>
        </div>
        <div className="analytics-unique">
          <dt>Unique visitors</dt>
          <dd>{formatCount(total(days, UNIQUE_KIND))}</dd>
        </div>
      </dl>
      <Suspense fallback={<div className="analytics-chart" />}>
        <Chart key={isDark ? 'dark' : 'light'} days={days} onHover={setHovered} />
      </Suspense>
      <p className="analytics-hovered">
        {hovered === null
          ? 'A visitor counts once a day. Days are in UTC.'
          : `${formatDay(hovered.day)}: opened ${formatCount(hovered.counts[OPEN_KIND] ?? 0)}, unique ${formatCount(hovered.counts[UNIQUE_KIND] ?? 0)}`}
      </p>
    </section>
  );
}

const FUNNEL = [
  { name: 'Opened', kind: OPEN_KIND },
  { name: 'Saved', kind: 'Save' },
  { name: 'Connected', kind: 'Connect' },
] as const;

function Funnel({ days }: DaysProps) {
  const opened = total(days, OPEN_KIND);
  return (
    <Bars title="From visit to contact" columns={['Step', 'Visits', 'Share']}>
      {FUNNEL.map(({ name, kind }) => {
        const count = total(days, kind);
        return (
          <BarRow key={kind} name={name} count={count} whole={opened}>
            <td>{formatShare(count, opened)}</td>
          </BarRow>
        );
      })}
    </Bars>
  );
}

function Links({ days }: DaysProps) {
  const links = linksByTaps(days);
  const [most] = links;
  if (!most) {
    return (
      <section className="analytics-panel analytics-links">
        <h2>Links by taps</h2>
        <p className="analytics-none">Nobody has tapped a link of your card in this time.</p>
      </section>
    );
  }
  return (
    <Bars className="analytics-links" title="Links by taps" columns={['Link', 'Taps']}>
      {links.map(({ kind, taps }) => (
        <BarRow key={kind} name={kind} count={taps} whole={most.taps} />
      ))}
    </Bars>
  );
}

interface BarsProps {
  readonly className?: string;
  readonly title: string;
  readonly columns: readonly string[];
  readonly children: ReactNode;
}

function Bars({ className = '', title, columns, children }: BarsProps) {
  return (
    <section className={`analytics-panel ${className}`}>
      <table className="analytics-bars">
        <caption>
          <h2>{title}</h2>
        </caption>
        <thead className="visually-hidden">
          <tr>
            {columns.map((column) => (
              <th key={column} scope="col">
                {column}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>{children}</tbody>
      </table>
    </section>
  );
}

interface BarRowProps {
  readonly name: string;
  readonly count: number;
  readonly whole: number;
  readonly children?: ReactNode;
}

function BarRow({ name, count, whole, children }: BarRowProps) {
  const share = whole === 0 ? 0 : Math.min(1, count / whole);
  return (
    <tr>
      <th scope="row">
        {name}
        <span className="analytics-bar" style={{ inlineSize: `${share * 100}%` }} />
      </th>
      <td>{formatCount(count)}</td>
      {children}
    </tr>
  );
}

export function EachDay({ days }: DaysProps) {
  return (
    <div className="analytics-panel">
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- a scrollable region must be focusable by keyboard */}
      <section className="analytics-days" aria-label="Days" tabIndex={0}>
        <table>
          <caption>
            <h2>Opened each day</h2>
          </caption>
          <thead>
            <tr>
              <th scope="col">Day</th>
              <th scope="col">Opened</th>
              <th scope="col">Unique visitors</th>
            </tr>
          </thead>
          <tbody>
            {days.toReversed().map(({ day, counts }) => (
              <tr key={day}>
                <th scope="row">{formatLongDay(day)}</th>
                <td data-label="Opened">{formatCount(counts[OPEN_KIND] ?? 0)}</td>
                <td data-label="Unique visitors">{formatCount(counts[UNIQUE_KIND] ?? 0)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </section>
    </div>
  );
}
