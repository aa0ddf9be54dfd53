// Package packages finds the packages in a manifest and in a package manager's command, and
// matches them with a name and version range like "next@<16". It has no side effects and
// runs in linear time. Invalid input is skipped, because the result is only used for
// advice.
package packages
