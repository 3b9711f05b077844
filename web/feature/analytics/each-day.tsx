import { useState } from 'react';

import { OPEN_KIND, UNIQUE_KIND } from '#domain/visit.ts';
import { Button } from '#web/shared/ui/button.tsx';

import { formatCountOf, formatWeekday, timeZoneName } from './numbers.ts';
import type { Day } from './numbers.ts';

interface EachDayProps {
  readonly days: readonly Day[];
  readonly timeZone: string;
}

export function EachDay({ days, timeZone }: EachDayProps) {
  const [isShown, setShown] = useState(false);
  const zones = new Set(days.map((day) => day.timeZone).filter((zone) => zone !== ''));
  return (
    <>
      <div className="analytics-foot head row">
        <p className="muted">
          A unique visitor is one phone or computer, counted once a day however often it opens your
          card. Days end at midnight, {timeZoneName(timeZone)}.
          {Array.from(zones, (zone) => ` Days marked ${zone} were counted in ${zone}.`).join('')}
        </p>
        <Button onClick={() => setShown(!isShown)}>
          {isShown ? 'Hide each day' : 'Show each day'}
        </Button>
      </div>
      <DayTable days={days} isShown={isShown} />
    </>
  );
}

interface DayTableProps {
  readonly days: readonly Day[];
  /** If false, only screen readers get the table. */
  readonly isShown?: boolean;
}

export function DayTable({ days, isShown = false }: DayTableProps) {
  const visitedDays = days.filter(({ counts }) => Object.keys(counts).length > 0).toReversed();
  return (
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
          {visitedDays.length === 0 && (
            <tr>
              <td colSpan={3}>Nobody has opened your card in this time.</td>
            </tr>
          )}
          {visitedDays.map((day) => (
            <tr key={day.day}>
              <th scope="row">
                {formatWeekday(day.day)}{' '}
                {day.timeZone !== '' && <small className="note">{day.timeZone}</small>}
              </th>
              <td data-label="Opened">{formatCountOf(day, OPEN_KIND)}</td>
              <td data-label="Unique visitors">{formatCountOf(day, UNIQUE_KIND)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}
