package oracles

import (
	_ "embed"
	"os/exec"
)

//go:embed ruby.rb
var rubyScript string

// ruby queries the parser of the Ruby in PATH (RubyVM::AbstractSyntaxTree).
func ruby() (*exec.Cmd, error) {
	return exec.Command("ruby", "-W0", "-e", rubyScript), nil
}
