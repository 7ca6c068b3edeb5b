/** A mutation that no test can or should notice. */
export interface ExplainedMutation {
  /** Relative to the root. */
  file: string
  /** A part of the mutated line. */
  line: string
  /** The replacement; without it, every mutation of the line. */
  becomes?: string
  why: string
}

/** Mutations that survive for a reason. An entry that matches no survivor fails the step. */
export const EXPLAINED_MUTATIONS: readonly ExplainedMutation[] = [
  {
    file: 'packages/protocol/src/agentTexts.ts',
    line: 'text.length <= MAX_ANNOUNCEMENT_LENGTH',
    why: 'no longer text has the form either, as every part of it is bounded; the check only spares reading one',
  },
  {
    file: 'packages/rules/src/network/isPublicAddress.ts',
    line: 'text.length <= 45',
    why: 'no longer text is an IPv6 address either; the check only spares reading one',
  },
  {
    file: 'packages/rules/src/network/isPublicAddress.ts',
    line: 'const [left = [], right = []]',
    becomes: '["Stryker was here"]',
    why: 'a split text has at least one part; the value is for the types',
  },
  {
    file: 'packages/rules/src/money.ts',
    line: 'const digits = (wei < 0n',
    becomes: 'wei <= 0n',
    why: 'minus 0 is 0',
  },
  {
    file: 'packages/rules/src/network/networkOf.ts',
    line: 'const [left = [], right = []]',
    becomes: '["Stryker was here"]',
    why: 'a split text has at least one part, and the right one lies beyond the first four groups if it has no other',
  },
  {
    file: 'packages/rules/src/prices/pricing.ts',
    line: 'seconds <= 0 ?',
    becomes: 'seconds < 0',
    why: 'no seconds cost nothing either way',
  },
  {
    file: 'packages/rules/src/text/visibleText.ts',
    line: 'code < 0x100 ?',
    becomes: 'code <= 0x100',
    why: 'U+0100 is a letter, and shown as it is',
  },
  {
    file: 'packages/rules/src/deployment/visitUrl.ts',
    line: "domain === '' ? []",
    becomes: '["Stryker was here"]',
    why: 'no host has spaces',
  },
  {
    file: 'packages/rules/src/deployment/visitUrl.ts',
    line: 'host !== undefined && own',
    becomes: 'true',
    why: "undefined is not among a provider's names; the check is for the types",
  },
  {
    file: 'packages/protocol/src/workspaceText.ts',
    line: 'text.length > MAX_WORKSPACE_TEXT_LENGTH',
    why: 'no longer text has the form either, as every part of it is bounded; the check only spares reading one',
  },
  {
    file: 'packages/protocol/src/workspaceText.ts',
    line: 'site.replace(',
    becomes: '/https?:\\/\\//',
    why: 'no site has a second place like it, as its host has no slash',
  },
  {
    file: 'packages/protocol/src/deployText.ts',
    line: 'text.length > MAX_DEPLOY_TEXT_LENGTH',
    why: 'no longer text has the form either, as every part of it is bounded; the check only spares reading one',
  },
  {
    file: 'packages/protocol/src/deployText.ts',
    line: 'a < b ? -1 : 1',
    becomes: 'a <= b',
    why: 'no two values have the same name',
  },
  {
    file: 'packages/protocol/src/deployText.ts',
    line: '} catch {',
    becomes: '{}',
    why: 'what ends without a return is undefined too',
  },
  {
    file: 'packages/rules/src/node/fit.ts',
    line: 'have !== undefined && need !== undefined',
    becomes: 'true',
    why: 'a class that is undefined is never at least another; the checks are for the types',
  },
  {
    file: 'packages/rules/src/node/fit.ts',
    line: 'have !== undefined && need !== undefined',
    becomes: 'have !== undefined || need !== undefined',
    why: 'a class that is undefined is never at least another; the checks are for the types',
  },
  {
    file: 'packages/rules/src/order/actions.ts',
    line: "case 'none':",
    becomes: "case 'none':",
    why: 'what ends without a return is undefined too',
  },
  {
    file: 'packages/rules/src/order/money.ts',
    line: 'earned > order.remuneration',
    becomes: 'earned >= order.remuneration',
    why: 'where both are the same, nothing is due either way',
  },
  {
    file: 'packages/rules/src/order/receiptSpans.ts',
    line: 'start >= stop',
    becomes: 'start > stop',
    why: 'marking no seconds changes nothing',
  },
  {
    file: 'packages/rules/src/order/receiptSpans.ts',
    line: 'stop <= from',
    becomes: 'stop < from',
    why: 'taking no seconds changes nothing',
  },
  {
    file: 'packages/rules/src/uptime/epoch.ts',
    line: 'return low < high ?',
    becomes: 'low <= high',
    why: 'where both are the same epoch, the bits from one to the other are none',
  },
  {
    file: 'packages/hardware/src/product.ts',
    line: 'place < ROW_WORDS',
    becomes: 'place <= ROW_WORDS',
    why: 'what is written beyond the end of a typed array is lost',
  },
  {
    file: 'packages/hardware/src/product.ts',
    line: 'word < ROW_WORDS',
    becomes: 'word <= ROW_WORDS',
    why: 'what is written beyond the end of a typed array is lost',
  },
  {
    file: 'packages/hardware/src/proof.ts',
    line: 'const { coefficients } = parentsOf(',
    becomes: 'round / rowsPerRound',
    why: 'the coefficients do not depend on the number of earlier rows',
  },
  {
    file: 'packages/app-spec/src/import/dockerFlags.ts',
    line: 'equals < 0',
    becomes: 'equals <= 0',
    why: 'a long flag starts with two dashes, so that no equals sign is its first character',
  },
  {
    file: 'packages/app-spec/src/import/readPasted.ts',
    line: 'line === undefined ? {} : { line }',
    becomes: 'false',
    why: 'a document that is not empty has a line; the check is for the types',
  },
  {
    file: 'packages/app-spec/src/import/shellCommands.ts',
    line: 'close < 0',
    becomes: 'close <= 0',
    why: 'the closing quote is after the opening one, and so never at 0',
  },
  {
    file: 'packages/app-spec/src/import/shellCommands.ts',
    line: 'next < 0',
    becomes: 'next <= 0',
    why: 'the line break is after the comment sign, and so never at 0',
  },
  {
    file: 'packages/app-spec/src/import/readYaml.ts',
    line: 'prettyErrors: false',
    becomes: 'true',
    why: 'only changes messages, which nobody reads',
  },
  {
    file: 'packages/sdk/src/chain/waitForReceipt.ts',
    line: 'Date.now() >= until',
    becomes: 'Date.now() > until',
    why: 'only tries once more within the last millisecond',
  },
  {
    file: 'packages/sdk/src/order/payOffer.ts',
    line: 'canBatch?.().catch(() => false) ?? false',
    becomes: '() => undefined',
    why: 'nothing is taken for no',
  },
  {
    file: 'packages/sdk/src/uptime/requireHardware.ts',
    line: 'one.rev === rev',
    becomes: 'true',
    why: 'results of other revisions are left out later, too; the check only spares reading their signatures',
  },
  {
    file: 'packages/sdk/src/uptime/requireHardware.ts',
    line: 'drawnIn.set(period, drawn)',
    becomes: ';',
    why: 'only spares reading the same monitors again',
  },
  {
    file: 'packages/sdk/src/pause.ts',
    line: 'reject(signal?.reason)',
    becomes: 'signal.reason',
    why: 'only a signal calls it; the check is for the types',
  },
  {
    file: 'packages/sdk/src/errors/toAppError.ts',
    line: '} catch {',
    becomes: '{}',
    why: 'what ends without a return is undefined too',
  },
  {
    file: 'apps/agent/src/orders/verify/verifyDeploy.ts',
    line: 'parsed.error.issues[0]?.message',
    becomes: 'parsed.error.issues[0].message',
    why: 'what does not have the form has at least one issue; the check is for the types',
  },
  {
    file: 'apps/agent/src/orders/verify/verifyDeploy.ts',
    line: 'parseImage(image)?.registry',
    becomes: 'parseImage(image).registry',
    why: 'a specification that was read has an image of the right form; the check is for the types',
  },
  {
    file: 'apps/platform/src/limits/CallerCounts.ts',
    line: 'left > 0',
    becomes: 'true',
    why: 'a caller with a count of 0 is like one without; forgetting it only bounds the memory',
  },
  {
    file: 'apps/platform/src/limits/CallerCounts.ts',
    line: 'left > 0',
    becomes: 'left >= 0',
    why: 'a caller with a count of 0 is like one without; forgetting it only bounds the memory',
  },
]
