/** One format for all dates, in UTC like the days of the audit log, the service's messages and the logs. */
const format = (options: Intl.DateTimeFormatOptions) => {
  const dates = new Intl.DateTimeFormat("en-GB", { ...options, timeZone: "UTC" });
  return (at: Date) => dates.format(at);
};

/** “27 Nov 2026” */
export const formatDay = format({ dateStyle: "medium" });
/** “11:25” */
export const formatTime = format({ timeStyle: "short" });
/** “27 Nov 2026, 11:25” */
export const formatDayAndTime = format({ dateStyle: "medium", timeStyle: "short" });
/** “27 Nov 2026, 11:25:04 UTC” */
export const formatExactTime = format({ dateStyle: "medium", timeStyle: "long" });
