declare module "textlint-rule-terminology" {
  import type { TextlintRuleModule } from "@textlint/kernel";

  const rule: TextlintRuleModule;
  export default rule;
}

declare module "textlint-filter-rule-comments" {
  import type { TextlintFilterRuleReporter } from "@textlint/kernel";

  const rule: TextlintFilterRuleReporter;
  export default rule;
}
