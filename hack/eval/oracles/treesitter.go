package oracles

import (
	_ "embed"
	"os/exec"
)

// treeSitter is a script that prints the results of a tree-sitter grammar. It is used for languages
// whose compilers are rarely installed.
//
//go:embed treesitter.cjs
var treeSitter string

// grammar returns the command for the grammar of a language.
func grammar(language string) func() (*exec.Cmd, error) {
	return func() (*exec.Cmd, error) {
		cmd, err := script(treeSitter, "treesitter.cjs", "node")
		if err == nil {
			cmd.Args = append(cmd.Args, language)
		}
		return cmd, err
	}
}
