package agents

import (
	"errors"
	"fmt"
	"io"
	"os"
)

// maxSettings is the largest file of a host's that is read, in bytes: far more than
// anybody's settings.
const maxSettings = 16 << 20

// readFile reads a file of settings that anybody may have put there: a pipe would hold
// us up for ever, and a huge file take all memory. The error is fs.ErrNotExist if there
// is none.
func readFile(path string) ([]byte, error) {
	info, err := os.Stat(path)
	if err != nil {
		return nil, err
	}
	if !info.Mode().IsRegular() {
		return nil, errors.New("is no regular file; move it away")
	}
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	data, err := io.ReadAll(io.LimitReader(f, maxSettings+1))
	if err == nil && len(data) > maxSettings {
		return nil, fmt.Errorf("is larger than %d bytes", maxSettings)
	}
	return data, err
}
