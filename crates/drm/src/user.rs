//! The calling program's memory, which it may describe wrongly: a bad address is an error,
//! as it is for the kernel, and no crash.

use libc::{c_int, c_void, iovec};

/// An errno.
pub(crate) type Errno = c_int;

/// Copies bytes from an address of this process.
pub(crate) fn read(addr: u64, out: &mut [u8]) -> Result<(), Errno> {
    copy(
        addr,
        out.as_mut_ptr().cast(),
        out.len(),
        libc::process_vm_readv,
    )
}

/// Copies bytes to an address of this process.
pub(crate) fn write(addr: u64, bytes: &[u8]) -> Result<(), Errno> {
    let from = bytes.as_ptr().cast_mut().cast();
    copy(addr, from, bytes.len(), libc::process_vm_writev)
}

type Transfer = unsafe extern "C" fn(
    libc::pid_t,
    *const iovec,
    libc::c_ulong,
    *const iovec,
    libc::c_ulong,
    libc::c_ulong,
) -> isize;

fn copy(addr: u64, own: *mut c_void, len: usize, transfer: Transfer) -> Result<(), Errno> {
    if len == 0 {
        return Ok(());
    }
    let local = iovec {
        iov_base: own,
        iov_len: len,
    };
    let remote = iovec {
        iov_base: addr as *mut c_void,
        iov_len: len,
    };
    // SAFETY: the local range is a live slice of `len` bytes; the remote one the system checks.
    let done = unsafe { transfer(libc::getpid(), &local, 1, &remote, 1, 0) };
    if usize::try_from(done) == Ok(len) {
        Ok(())
    } else {
        Err(libc::EFAULT)
    }
}

/// Reads `count` structures of `N` words each; more than `most` are refused.
pub(crate) fn read_words<const N: usize>(
    addr: u64,
    count: u32,
    most: u32,
) -> Result<Vec<[u32; N]>, Errno> {
    if count > most {
        return Err(libc::EINVAL);
    }
    let mut bytes = vec![0; count as usize * N * 4];
    read(addr, &mut bytes)?;
    let words = |chunk: &[u8]| {
        let mut out = [0; N];
        for (word, bytes) in out.iter_mut().zip(chunk.as_chunks().0) {
            *word = u32::from_le_bytes(*bytes);
        }
        out
    };
    Ok(bytes.chunks_exact(N * 4).map(words).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bad_addresses_are_errors() {
        let mut out = [0; 8];
        assert_eq!(read(8, &mut out), Err(libc::EFAULT));
        assert_eq!(write(8, &out), Err(libc::EFAULT));
        assert_eq!(read_words::<4>(8, 5, 4), Err(libc::EINVAL));
    }

    #[test]
    fn words_come_back() {
        let data = [1u32, 2, 3, 4, 5, 6];
        let addr = data.as_ptr() as u64;
        assert_eq!(read_words::<3>(addr, 2, 8), Ok(vec![[1, 2, 3], [4, 5, 6]]));
    }
}
