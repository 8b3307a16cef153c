import type { Counter, Histogram, Observable } from "@opentelemetry/api";
import { PrometheusSerializer } from "@opentelemetry/exporter-prometheus";
import { AggregationTemporality, InstrumentType, MeterProvider, MetricReader } from "@opentelemetry/sdk-metrics";
import {
  BUCKETS,
  type CounterName,
  type HistogramName,
  INSTRUMENTS,
  type Instrument,
  type InstrumentName,
  type Labels,
  type ObservedName,
} from "./instruments.ts";

/** A value that is read when metrics are scraped. */
export type Observation = {
  [Name in ObservedName]: { readonly name: Name; readonly value: number; readonly labels: Labels<Name> };
}[ObservedName];

/** What a scrape asks for. */
export interface Scrape {
  /** With the metrics that are read from the database. */
  readonly withState: boolean;
}

type ReadObservations = (scrape: Scrape) => Promise<readonly Observation[]>;

/** The instruments of `INSTRUMENTS` and their values in Prometheus' text format. */
export class Metrics {
  readonly #reader = new ScrapeReader();
  readonly #serializer = new PrometheusSerializer(undefined, false, undefined, true, true);
  readonly #counters = new Map<InstrumentName, Counter>();
  readonly #histograms = new Map<InstrumentName, Histogram>();
  readonly #observed = new Map<InstrumentName, Observable>();
  #observations: readonly Observation[] = [];
  #read: ReadObservations = async () => [];
  #scraping: Promise<unknown> = Promise.resolve();

  constructor() {
    const meter = new MeterProvider({ readers: [this.#reader] }).getMeter("social-connect");
    for (const [name, { kind, unit, description }] of Object.entries<Instrument>(INSTRUMENTS)) {
      const options = { unit, description };
      const key = name as InstrumentName;
      switch (kind) {
        case "counter":
          this.#counters.set(key, meter.createCounter(name, options));
          break;
        case "histogram": {
          const advice = { explicitBucketBoundaries: [...BUCKETS] };
          this.#histograms.set(key, meter.createHistogram(name, { ...options, advice }));
          break;
        }
        case "gauge":
          this.#observed.set(key, meter.createObservableGauge(name, options));
          break;
        case "observable counter":
          this.#observed.set(key, meter.createObservableCounter(name, options));
      }
    }
    meter.addBatchObservableCallback(
      (result) => {
        for (const { name, value, labels } of this.#observations) {
          const instrument = this.#observed.get(name);
          if (instrument !== undefined) result.observe(instrument, value, labels);
        }
      },
      [...this.#observed.values()],
    );
  }

  count<Name extends CounterName>(name: Name, labels: Labels<Name>): void {
    this.#counters.get(name)?.add(1, labels);
  }

  /** Shows a series at 0. To Prometheus, a series whose first value is higher has not increased. */
  startAtZero<Name extends CounterName>(name: Name, labels: Labels<Name>): void {
    this.#counters.get(name)?.add(0, labels);
  }

  measure<Name extends HistogramName>(name: Name, seconds: number, labels: Labels<Name>): void {
    this.#histograms.get(name)?.record(seconds, labels);
  }

  /** Sets what reads the values of gauges and of counters that others keep. */
  observe(read: ReadObservations): void {
    this.#read = read;
  }

  /** All values now. Scrapes wait for each other, because the reader collects one at a time. */
  text(scrape: Scrape): Promise<string> {
    const scraped = this.#scraping.then(async () => {
      this.#observations = await this.#read(scrape);
      const { resourceMetrics } = await this.#reader.collect();
      return `${this.#serializer.serialize(resourceMetrics)}\n`;
    });
    this.#scraping = scraped.catch(() => undefined);
    return scraped;
  }
}

/**
 * Collects on request. A gauge reports only the values of its latest reading: as a cumulative metric, it would
 * report the last value of an application forever.
 */
class ScrapeReader extends MetricReader {
  constructor() {
    super({
      aggregationTemporalitySelector: (type) =>
        type === InstrumentType.OBSERVABLE_GAUGE ? AggregationTemporality.DELTA : AggregationTemporality.CUMULATIVE,
    });
  }

  protected async onForceFlush(): Promise<void> {
    // Nothing is buffered.
  }

  protected async onShutdown(): Promise<void> {
    // Nothing is open.
  }
}
