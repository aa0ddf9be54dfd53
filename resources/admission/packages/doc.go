// Package packages tells which packages a manifest names and a package manager's command adds, and
// whether one of them is a package that somebody names with a range of versions: "next@<16". It is
// pure, and linear in what it reads: what does not read as it should is left out, for it advises and
// no program runs by it.
package packages
