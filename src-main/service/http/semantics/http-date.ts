const months = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];
const fixdate = /^(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun), (\d\d) ([A-Z][a-z]{2}) (\d{4}) (\d\d):(\d\d):(\d\d) GMT$/;
const rfc850 = /^(?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)day, (\d\d)-([A-Z][a-z]{2})-(\d\d) (\d\d):(\d\d):(\d\d) GMT$/;
const asctime = /^(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun) ([A-Z][a-z]{2}) ([ \d]\d) (\d\d):(\d\d):(\d\d) (\d{4})$/;

/** A point in time as an HTTP date; milliseconds are dropped. */
export function httpDate(milliseconds: number): string {
  return new Date(milliseconds).toUTCString();
}

/**
 * Reads an HTTP date in any of its three forms (RFC 9110 section 5.6.7).
 *
 * @returns milliseconds since 1970, or null for a text that is no date; such a header is ignored.
 */
export function parseHttpDate(text: string): number | null {
  const fix = fixdate.exec(text);
  if (fix) return time(fix[3], fix[2], fix[1], fix[4], fix[5], fix[6]);
  const short = rfc850.exec(text);
  if (short) {
    // Two digits: the year that is not more than fifty years ahead.
    const century = Math.floor(new Date().getUTCFullYear() / 100) * 100;
    const year = century + Number(short[3]);
    return time(
      String(year > new Date().getUTCFullYear() + 50 ? year - 100 : year),
      short[2],
      short[1],
      short[4],
      short[5],
      short[6],
    );
  }
  const c = asctime.exec(text);
  return c ? time(c[6], c[1], c[2], c[3], c[4], c[5]) : null;
}

function time(year = '', month = '', day = '', hour = '', minute = '', second = ''): number | null {
  const index = months.indexOf(month);
  const value = Date.UTC(Number(year), index, Number(day), Number(hour), Number(minute), Math.min(Number(second), 59));
  const valid =
    index >= 0 &&
    new Date(value).getUTCDate() === Number(day) &&
    Number(hour) < 24 &&
    Number(minute) < 60 &&
    Number(second) <= 60;
  return valid ? value : null;
}
