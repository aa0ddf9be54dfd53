package layout

import (
	"errors"
	"io/fs"
	"path"
)

// Reader reads and appends to files below .idumb one after the other, for a program
// that lives for a moment: it holds .idumb open, needs one call for each way to a
// file where the system can do that (Linux 5.6), and reads into one buffer. It is
// as careful as Root, which it falls back on, also for the words of an error. Not
// for several goroutines at once. A process that ends soon need not close it.
type Reader struct {
	root   Root
	dir    *OpenDir // of .idumb; nil: not opened yet, or not to be had
	asked  bool
	buffer []byte
}

// readerBuffer holds most files, in bytes; a longer one gets memory of its own.
const readerBuffer = 8 << 10

// NewReader returns a Reader of a repository. It opens nothing yet.
func NewReader(root Root) *Reader { return &Reader{root: root} }

// Close gives back what is held. The Reader can be used again.
func (r *Reader) Close() {
	if r.dir != nil {
		r.dir.Close()
	}
	r.dir, r.asked = nil, false
}

// Read is Root.Read, but the bytes are good until the next call only. Of a file that is
// not there it does not say whether its folder is.
func (r *Reader) Read(file string, limit int64) ([]byte, Info, error) {
	if dir := r.held(); dir != nil {
		data, info, err := dir.readBelow(file[len(Dir)+1:], limit, r.room())
		if err == nil {
			return data, info, nil
		}
		if errors.Is(err, fs.ErrNotExist) {
			return nil, Info{}, missing(file)
		}
	}
	return r.root.Read(file, limit)
}

// room is the one buffer.
func (r *Reader) room() []byte {
	if r.buffer == nil {
		r.buffer = make([]byte, 0, readerBuffer)
	}
	return r.buffer
}

// Append adds data to the end of a file, in one write, and makes the file if there
// is none. It makes no folders.
func (r *Reader) Append(file string, data []byte) error {
	if dir := r.held(); dir != nil {
		if opened, err := dir.appendBelow(file[len(Dir)+1:], data); opened {
			return err
		}
	}
	folder, name := path.Split(file)
	d, err := r.root.Open(folder)
	if err != nil {
		return err
	}
	defer d.Close()
	return d.appendTo(name, data)
}

func (r *Reader) held() *OpenDir {
	if !r.asked {
		r.asked = true
		if dir, err := r.root.Open(Dir); err == nil {
			r.dir = dir
		}
	}
	return r.dir
}
