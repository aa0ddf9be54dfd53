package oracles

import (
	_ "embed"
	"errors"
	"os"
	"os/exec"
)

//go:embed php.php
var phpScript string

// php asks nikic/PHP-Parser, a checkout of which PHP_PARSER names, by the PHP on the path.
func php() (*exec.Cmd, error) {
	if os.Getenv("PHP_PARSER") == "" {
		return nil, errors.New("set PHP_PARSER to a checkout of nikic/PHP-Parser")
	}
	return exec.Command("php", "-d", "memory_limit=-1", "-d", "display_errors=stderr", "-r", phpScript), nil
}
