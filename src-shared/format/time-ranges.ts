const dayAndTime = new Intl.DateTimeFormat('en-GB', {
  day: 'numeric',
  month: 'short',
  year: 'numeric',
  hour: '2-digit',
  minute: '2-digit',
});
const timeOfDay = new Intl.DateTimeFormat('en-GB', { hour: '2-digit', minute: '2-digit' });

/** Two times in local time, the second without its day where that is the same. */
export function formatTimeRange(from: string, until: string): string {
  const [begin, end] = [new Date(from), new Date(until)];
  if (Number.isNaN(begin.getTime()) || Number.isNaN(end.getTime())) return `${from} to ${until}`;
  const isSameDay = begin.toDateString() === end.toDateString();
  return `${dayAndTime.format(begin)} to ${(isSameDay ? timeOfDay : dayAndTime).format(end)}`;
}

/** The time of a step of a chart, in local time, with its day where the chart is longer than one. */
export function formatStep(at: number, seconds: number, hasDay: boolean): string {
  const form = hasDay ? dayAndTime : timeOfDay;
  return `${form.format(at)} to ${timeOfDay.format(at + seconds * 1000)}`;
}
