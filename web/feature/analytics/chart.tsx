import { useEffect, useRef } from 'react';
import UPlot from 'uplot';

import { OPEN_KIND, UNIQUE_KIND } from '#domain/visit.ts';

import { formatCompact, formatDay } from './numbers.ts';
import type { Day } from './numbers.ts';

const HEIGHT_PX = 240;
/** --text-13. */
const FONT_SIZE_REM = 0.8125;
/** In multiples of the font size. */
const DAY_WIDTH = 5;
const LABEL_HEIGHT = 2.2;
const LABEL_WIDTH = 2.6;
/** The part of a day's width, and the most pixels. */
const BAR_SIZE: [number, number] = [0.72, 44];
const BAR_RADIUS = 0.12;
/** Half of the last day's label. */
const END_PX = 20;
const DECADES = 9;
/** Whole numbers only: there are no half visits. */
const COUNT_STEPS = Array.from({ length: DECADES }, (_, decade) =>
  [1, 2, 5].map((step) => step * 10 ** decade),
).flat();
const DAY_STEPS = [1, 2, 3, 5, 7, 10, 14, 30];
/** One visit is not a bar of the whole height. */
const TOP_MIN = 2;

interface ChartProps {
  readonly days: readonly Day[];
  readonly onHover: (day: Day | null) => void;
}

/** Hidden from screen readers, which get a table. New colours need a new `key`. */
export function Chart({ days, onHover }: ChartProps) {
  const element = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const container = element.current;
    if (!container) return undefined;
    const plot = new UPlot(chartOptions(container, days, onHover), chartData(days), container);
    const observer = new ResizeObserver(() =>
      plot.setSize({ width: container.clientWidth, height: HEIGHT_PX }),
    );
    observer.observe(container);
    return () => {
      observer.disconnect();
      plot.destroy();
    };
  }, [days, onHover]);
  return <div ref={element} className="analytics-chart" aria-hidden="true" />;
}

/** Null has no bar. */
function chartData(days: readonly Day[]): UPlot.AlignedData {
  return [
    days.map((_, at) => at),
    days.map(({ counts }) => counts[OPEN_KIND] || null),
    days.map(({ counts }) => counts[UNIQUE_KIND] || null),
  ];
}

function chartOptions(
  container: HTMLElement,
  days: readonly Day[],
  onHover: ChartProps['onHover'],
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
    padding: [null, END_PX, null, 0],
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
        splits: (...[, , , , step]) => labelledDays(days.length, step),
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
      setCursor: [({ cursor: { idx } }) => onHover((idx != null && days[idx]) || null)],
    },
  };
}

/** Back from the last one. */
function labelledDays(count: number, step: number): number[] {
  const length = Math.ceil(count / step);
  return Array.from({ length }, (_, at) => count - 1 - (length - 1 - at) * step);
}

function moveToDay(plot: UPlot, left: number, top: number): [number, number] {
  return [left < 0 ? left : plot.valToPos(plot.posToIdx(left), 'x'), top];
}
