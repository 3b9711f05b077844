import { useEffect, useRef, useSyncExternalStore } from 'react';
import UPlot from 'uplot';

import { UNIQUE_KIND } from '#domain/visit.ts';

import { formatCompact, formatDay } from './format.ts';
import type { Day } from './numbers.ts';

const HEIGHT_PX = 240;
/** The font of the axes in rem: --text-13. */
const FONT_SIZE_REM = 0.8125;
/** The space for a day, and for the labels below and beside the chart, in their font size. */
const DAY_WIDTH = 5;
const LABEL_HEIGHT = 2.2;
const LABEL_WIDTH = 3.4;
/** The part of a day's width that its bar fills, and the widest bar in pixels. */
const BAR_SIZE: [number, number] = [0.72, 44];
const BAR_RADIUS = 0.12;
const DARK = '(prefers-color-scheme: dark)';
const DECADES = 9;
/** Whole numbers only: there are no half visits. */
const COUNT_STEPS = Array.from({ length: DECADES }, (_, decade) =>
  [1, 2, 5].map((step) => step * 10 ** decade),
).flat();
const DAY_STEPS = [1, 2, 3, 5, 7, 10, 14, 30];
/** The top of an axis with fewer visits. */
const TOP_MIN = 4;

interface ChartProps {
  readonly days: readonly Day[];
  /** Receives the day under the pointer, or null. */
  readonly onPoint: (day: Day | null) => void;
}

/**
 * The visits of each day as bars; those of different visitors are a part of them. Hidden from screen
 * readers, for which a table has the same numbers. Reads its colours once: another scheme needs
 * another key.
 */
export function Chart({ days, onPoint }: ChartProps) {
  const element = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const container = element.current;
    if (!container) return undefined;
    const plot = new UPlot(chartOptions(container, days, onPoint), chartData(days), container);
    const observer = new ResizeObserver(() =>
      plot.setSize({ width: container.clientWidth, height: HEIGHT_PX }),
    );
    observer.observe(container);
    return () => {
      observer.disconnect();
      plot.destroy();
    };
  }, [days, onPoint]);
  return <div ref={element} className="analytics-chart" aria-hidden="true" />;
}

function chartData(days: readonly Day[]): UPlot.AlignedData {
  return [
    days.map((_, at) => at),
    days.map(({ counts }) => counts['Open'] ?? 0),
    days.map(({ counts }) => counts[UNIQUE_KIND] ?? 0),
  ];
}

function chartOptions(
  container: HTMLElement,
  days: readonly Day[],
  onPoint: ChartProps['onPoint'],
): UPlot.Options {
  const style = getComputedStyle(container);
  const colour = (name: string) => style.getPropertyValue(name).trim();
  const fontPx = FONT_SIZE_REM * parseFloat(getComputedStyle(document.documentElement).fontSize);
  const axis = { stroke: colour('--muted'), font: `${fontPx}px ${style.fontFamily}` };
  const paths = UPlot.paths.bars?.({ size: BAR_SIZE, radius: BAR_RADIUS });
  const bars = (fill: string) => ({
    fill,
    width: 0,
    points: { show: false },
    ...(paths && { paths }),
  });
  return {
    width: container.clientWidth,
    height: HEIGHT_PX,
    legend: { show: false },
    cursor: { y: false, drag: { x: false, y: false }, points: { show: false }, move: moveToDay },
    scales: {
      x: { time: false, range: () => [-0.5, days.length - 0.5] },
      y: { range: (_, __, top) => [0, Math.max(TOP_MIN, top)] },
    },
    axes: [
      {
        ...axis,
        size: LABEL_HEIGHT * fontPx,
        space: DAY_WIDTH * fontPx,
        incrs: DAY_STEPS,
        grid: { show: false },
        ticks: { show: false },
        values: (_, at) => at.map((index) => formatDay(days[index]?.day)),
      },
      {
        ...axis,
        size: LABEL_WIDTH * fontPx,
        incrs: COUNT_STEPS,
        grid: { stroke: colour('--line'), width: 1 },
        ticks: { show: false },
        values: (_, counts) => counts.map(formatCompact),
      },
    ],
    series: [{}, bars(colour('--analytics-opened')), bars(colour('--analytics-unique'))],
    hooks: {
      setCursor: [({ cursor: { idx } }) => onPoint((idx != null && days[idx]) || null)],
    },
  };
}

/** Moves the line at the pointer to the middle of its day. */
function moveToDay(plot: UPlot, left: number, top: number): [number, number] {
  return [left < 0 ? left : plot.valToPos(plot.posToIdx(left), 'x'), top];
}

/** Whether the browser's colour scheme is dark. */
export function useIsDark(): boolean {
  return useSyncExternalStore(
    (notify) => {
      const query = matchMedia(DARK);
      query.addEventListener('change', notify);
      return () => query.removeEventListener('change', notify);
    },
    () => matchMedia(DARK).matches,
  );
}
