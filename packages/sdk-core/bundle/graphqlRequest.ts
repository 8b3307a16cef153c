interface ClientConfiguration {
  readonly jsonSerializer: { stringify(value: unknown): string; parse(text: string): { readonly data: unknown } };
  fetch(url: string, init: { readonly body: string }): Promise<unknown>;
}

/**
 * Replaces graphql-request's client in the bundle of an SDK: the SDK reads and checks the response itself, so that only the
 * request's body and the order of the calls remain. A test compares both.
 */
export class GraphQLClient {
  readonly #url: string;
  readonly #configuration: ClientConfiguration;

  constructor(url: string, configuration: ClientConfiguration) {
    this.#url = url;
    this.#configuration = configuration;
  }

  async request({ document, variables }: { document: unknown; variables?: unknown }): Promise<unknown> {
    const { fetch, jsonSerializer } = this.#configuration;
    await fetch(this.#url, { body: jsonSerializer.stringify({ query: String(document), variables }) });
    return jsonSerializer.parse("").data;
  }
}
