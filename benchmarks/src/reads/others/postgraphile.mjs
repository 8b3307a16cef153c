/** PostGraphile 5 on the service's tables, without a key check: `DATABASE_URL`, `PORT`. */
import { createServer } from "node:http";
import { importOther } from "./packages.ts";

const { postgraphile } = await importOther("postgraphile");
const { PostGraphileAmberPreset } = await importOther("postgraphile/presets/amber");
const { makePgService } = await importOther("postgraphile/adaptors/pg");
const { grafserv } = await importOther("postgraphile/grafserv/node");

const instance = postgraphile({
  extends: [PostGraphileAmberPreset],
  grafserv: { graphqlPath: "/graphql", graphiql: false, watch: false, websockets: false },
  pgServices: [
    makePgService({ connectionString: process.env.DATABASE_URL, schemas: ["public"], poolConfig: { max: 10 } }),
  ],
});
const server = createServer();
await instance.createServ(grafserv).addTo(server);
server.listen(Number(process.env.PORT), "127.0.0.1");
