import { Suspense, lazy, useState } from 'react';
import type { ReactNode } from 'react';

import { OPEN_KIND, UNIQUE_KIND } from '#domain/visit.ts';
import { Button } from '#web/ui/button.tsx';
import { useMediaQuery } from '#web/ui/media-query.ts';

import { formatCount, formatShare, formatWeekday, timeZoneName } from './format.ts';
import { linksByTaps, total } from './numbers.ts';
import type { Day } from './numbers.ts';

/** Its library is loaded with the first chart, so that the worker does not store it before. */
const Chart = lazy(async () => ({ default: (await import('./chart.tsx')).Chart }));

interface DaysProps {
  readonly days: readonly Day[];
}

interface ReportProps extends DaysProps {
  readonly timeZone: string;
}

export function Report({ days, timeZone }: ReportProps) {
  return (
    <>
      <p className="analytics-lead">
        {FUNNEL.map(
          ({ name, kind }) => `${formatCount(total(days, kind))} ${name.toLowerCase()}`,
        ).join(', ')}
      </p>
      <Visits days={days} timeZone={timeZone} />
      <div className="analytics-columns">
        <Funnel days={days} />
        <Links days={days} />
      </div>
    </>
  );
}

function Visits({ days, timeZone }: ReportProps) {
  const [hovered, setHovered] = useState<Day | null>(null);
  const isDark = useMediaQuery('(prefers-color-scheme: dark)');
  const shown = hovered ?? days.at(-1);
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
        {shown &&
          `${formatWeekday(shown.day)}: ${countOf(shown, OPEN_KIND)} opened, ${countOf(shown, UNIQUE_KIND)} unique`}
      </p>
      <EachDay days={days} timeZone={timeZone} />
    </section>
  );
}

const countOf = ({ counts }: Day, kind: string) => formatCount(counts[kind] ?? 0);

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

/** Hidden from the eye only, until it is unfolded. */
export function EachDay({ days, timeZone }: ReportProps) {
  const [isShown, setShown] = useState(false);
  const visited = days.filter(({ counts }) => Object.keys(counts).length > 0).toReversed();
  const zones = new Set(visited.map((day) => day.timeZone).filter((zone) => zone !== ''));
  return (
    <>
      <div className="analytics-foot">
        <p>
          A unique visitor is one phone or computer, counted once a day however often it opens your
          card. Days end at midnight, {timeZoneName(timeZone)}.
          {Array.from(zones, (zone) => ` Days marked ${zone} were counted in ${zone}.`).join('')}
        </p>
        <Button onClick={() => setShown(!isShown)}>
          {isShown ? 'Hide each day' : 'Show each day'}
        </Button>
      </div>
      <section
        className={isShown ? 'analytics-days' : 'visually-hidden'}
        aria-label="Days"
        // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- a scrollable region must be focusable by keyboard
        tabIndex={isShown ? 0 : undefined}
      >
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
            {visited.length === 0 && (
              <tr>
                <td colSpan={3}>Nobody has opened your card in this time.</td>
              </tr>
            )}
            {visited.map((day) => (
              <tr key={day.day}>
                <th scope="row">
                  {formatWeekday(day.day)} {day.timeZone !== '' && <small>{day.timeZone}</small>}
                </th>
                <td data-label="Opened">{countOf(day, OPEN_KIND)}</td>
                <td data-label="Unique visitors">{countOf(day, UNIQUE_KIND)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </section>
    </>
  );
}
