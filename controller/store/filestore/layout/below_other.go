//go:build !linux

package layout

import "errors"

// errNoCall: this system has no call that opens a path and follows no link on it.
var errNoCall = errors.New("no such call")

func (d *OpenDir) readBelow(string, int64, []byte) ([]byte, Info, error) {
	return nil, Info{}, errNoCall
}

func (d *OpenDir) appendBelow(string, []byte) (bool, error) { return false, errNoCall }
