import { Fragment, Suspense, lazy, useState } from 'react';
import type { ReactNode } from 'react';

import { OPEN_KIND, UNIQUE_KIND } from '#domain/visit.ts';

import { EachDay } from './each-day.tsx';
import { countOf, formatCount, formatShare, formatWeekday, linksByTaps, total } from './numbers.ts';
import type { Day } from './numbers.ts';

/** The chart's library is loaded with the first chart, so that the worker does not store it before. */
const Chart = lazy(async () => ({ default: (await import('./chart.tsx')).Chart }));

interface DaysProps {
  readonly days: readonly Day[];
}

interface ReportProps extends DaysProps {
  readonly timeZone: string;
  /** The colour of the bars: the chart is drawn again with others. */
  readonly colour: string;
}

export function Report({ days, timeZone, colour }: ReportProps) {
  const uniqueCount = total(days, UNIQUE_KIND);
  return (
    <>
      <div className="analytics-lead">
        <p>
          {FUNNEL.map(({ name, kind }, at) => (
            <Fragment key={kind}>
              {at > 0 && ' '}
              <span>
                <b>{formatCount(total(days, kind))}</b> {name.toLowerCase()}
                {at < FUNNEL.length - 1 && ','}
              </span>
            </Fragment>
          ))}
        </p>
        <p className="muted">
          {formatCount(uniqueCount)} unique {uniqueCount === 1 ? 'visitor' : 'visitors'}
        </p>
      </div>
      <Visits days={days} timeZone={timeZone} colour={colour} />
      <div className="analytics-columns stack">
        <Funnel days={days} />
        <Links days={days} />
      </div>
    </>
  );
}

function Visits({ days, timeZone, colour }: ReportProps) {
  const [hovered, setHovered] = useState<Day | null>(null);
  const shown = hovered ?? days.at(-1);
  return (
    <section className="panel" aria-label="Visits">
      <p className="analytics-legend row muted">
        <span className="row">Opened</span>
        <span className="analytics-unique row">Unique visitors</span>
      </p>
      <Suspense fallback={<div className="analytics-chart" />}>
        <Chart key={colour} days={days} onHover={setHovered} />
      </Suspense>
      <p className="analytics-hovered note">
        {shown &&
          `${formatWeekday(shown.day)}: ${countOf(shown, OPEN_KIND)} opened, ${countOf(shown, UNIQUE_KIND)} unique`}
      </p>
      <EachDay days={days} timeZone={timeZone} />
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
      <section className="analytics-links panel">
        <h2>Links by taps</h2>
        <p className="analytics-none muted">Nobody has tapped a link of your card in this time.</p>
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
    <section className={`panel ${className}`}>
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
        <span
          className="analytics-bar"
          style={{
            inlineSize: `${share * 100}%`,
            visibility: count === 0 ? 'hidden' : undefined,
          }}
        />
      </th>
      <td>{formatCount(count)}</td>
      {children}
    </tr>
  );
}
