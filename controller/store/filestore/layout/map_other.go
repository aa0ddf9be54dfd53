//go:build !linux

package layout

// Map is Read; on Linux it spares the copy.
func (d *OpenDir) Map(name string, limit int64) ([]byte, error) {
	data, _, err := d.Read(name, limit)
	return data, err
}
