import { Fragment, useState } from 'react';
import type { ComponentProps } from 'react';

import { OPEN_KIND, UNIQUE_KIND } from '#domain/visit.ts';

import { Chart } from './chart.tsx';
import { EachDay } from './each-day.tsx';
import {
  formatCountOf,
  formatCount,
  formatShare,
  formatWeekday,
  linksByTaps,
  total,
} from './numbers.ts';
import type { Day } from './numbers.ts';

type ReportProps = ComponentProps<typeof EachDay>;

export function Report({ days, timeZone }: ReportProps) {
  const uniqueCount = total(days, UNIQUE_KIND);
  return (
    <>
      <div className="analytics-lead">
        <p>
          {FUNNEL.map(({ name, kind }, index) => (
            <Fragment key={kind}>
              {index > 0 && ' '}
              <span>
                <b>{formatCount(total(days, kind))}</b> {name.toLowerCase()}
                {index < FUNNEL.length - 1 && ','}
              </span>
            </Fragment>
          ))}
        </p>
        <p className="muted">
          {formatCount(uniqueCount)} unique {uniqueCount === 1 ? 'visitor' : 'visitors'}
        </p>
      </div>
      <Visits days={days} timeZone={timeZone} />
      <div className="analytics-columns stack">
        <Funnel days={days} />
        <Links days={days} />
      </div>
    </>
  );
}

function Visits({ days, timeZone }: ReportProps) {
  const [hovered, setHovered] = useState<Day | null>(null);
  const shownDay = hovered ?? days.at(-1);
  return (
    <section className="panel" aria-label="Visits">
      <p className="analytics-legend row muted">
        <span className="row">Opened</span>
        <span className="analytics-unique row">Unique visitors</span>
      </p>
      <Chart days={days} onHover={setHovered} />
      <p className="analytics-hovered note">
        {shownDay &&
          `${formatWeekday(shownDay.day)}: ${formatCountOf(shownDay, OPEN_KIND)} opened, ${formatCountOf(shownDay, UNIQUE_KIND)} unique`}
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

function Funnel({ days }: Pick<ReportProps, 'days'>) {
  const rows = FUNNEL.map(({ name, kind }) => ({ name, count: total(days, kind) }));
  const opened = total(days, OPEN_KIND);
  const columns = ['Step', 'Visits', 'Share'];
  return <Bars title="From visit to contact" columns={columns} rows={rows} whole={opened} />;
}

function Links({ days }: Pick<ReportProps, 'days'>) {
  const rows = linksByTaps(days);
  const [mostTapped] = rows;
  if (!mostTapped) {
    return (
      <section className="analytics-links panel">
        <h2>Links by taps</h2>
        <p className="muted">Nobody has tapped a link on your card in this time.</p>
      </section>
    );
  }
  const columns = ['Link', 'Taps'];
  return <Bars title="Links by taps" columns={columns} rows={rows} whole={mostTapped.count} />;
}

interface BarsProps {
  readonly title: string;
  /** A third column shows the share of each row. */
  readonly columns: readonly string[];
  readonly rows: readonly { readonly name: string; readonly count: number }[];
  /** The count of the longest bar. */
  readonly whole: number;
}

function Bars({ title, columns, rows, whole }: BarsProps) {
  const hasShares = columns.length > 2;
  return (
    <section className={hasShares ? 'panel' : 'analytics-links panel'}>
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
        <tbody>
          {rows.map(({ name, count }) => (
            <tr key={name}>
              <th scope="row">
                {name}
                <span
                  className="analytics-bar"
                  style={{
                    inlineSize: `${(100 * count) / Math.max(whole, count, 1)}%`,
                    visibility: count === 0 ? 'hidden' : undefined,
                  }}
                />
              </th>
              <td>{formatCount(count)}</td>
              {hasShares && <td>{formatShare(count, whole)}</td>}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}
