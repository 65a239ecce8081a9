// TypeBox, by the name under which pi provides its own copy to extensions. dist/ has it inlined: a dependency of that name
// would make pi warn about every install, and a peer would have to be installed by hand with Yarn. The module's functions
// rather than its object `Type`, of which a bundler can leave out nothing.
export * as Type from "@sinclair/typebox";
