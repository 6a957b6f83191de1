//! Files of ours with lengths and checksums that fit, whatever else is in them: a fuzzer would hardly ever
//! guess these.

/// Bytes before the header.
const PREFIX: usize = 48;

/// Versions of the format.
const VERSIONS: u8 = 3;

/// Makes the version, the lengths and the checksum of a file that is not compressed right. The header is as
/// long as it says, at most to the end.
#[allow(dead_code)]
pub fn container(data: &[u8], magic: &[u8; 16]) -> Vec<u8> {
    let mut file = data.to_vec();
    file.resize(data.len().max(PREFIX), 0);
    file[..16].copy_from_slice(magic);
    let version = file[16].clamp(1, VERSIONS);
    file[16..24].copy_from_slice(&[version, 0, 0, 0, 0, 0, 0, 0]);
    let said = u64::from_le_bytes(file[24..32].try_into().expect("eight bytes"));
    let rest = file.len() - PREFIX;
    let header = said.min(rest as u64) as usize;
    file[24..32].copy_from_slice(&(header as u64).to_le_bytes());
    file[32..40].copy_from_slice(&((rest - header) as u64).to_le_bytes());
    let (header, numbers) = file[PREFIX..].split_at(header);
    let sum = match version {
        ..3 => checksum(&[header, numbers]),
        _ => {
            let sums = [header, numbers].map(|part| checksum(&[part]).to_le_bytes());
            checksum(&[&sums[0], &sums[1]])
        }
    };
    file[40..48].copy_from_slice(&sum.to_le_bytes());
    file
}

fn checksum(parts: &[&[u8]]) -> u64 {
    let mut sum = 0x9E37_79B9_7F4A_7C15u64;
    for part in parts {
        let words = part.chunks(8).map(|word| {
            let mut bytes = [0; 8];
            bytes[..word.len()].copy_from_slice(word);
            u64::from_le_bytes(bytes)
        });
        let empty = part.len().is_multiple_of(8).then_some(0);
        for word in words.chain(empty).chain([part.len() as u64]) {
            sum = (sum ^ word).wrapping_mul(0xD6E8_FEB8_6659_FD93);
            sum ^= sum >> 32;
        }
    }
    sum
}

/// Makes the title and the checksum of a grammar right, one with networks if it has the title of one; the last
/// line is taken for its checksum.
#[allow(dead_code)]
pub fn grammar(data: &[u8]) -> Vec<u8> {
    let networks: &[u8] = b"tanglewood grammar 2\n";
    let mut text = if data.starts_with(networks) { networks } else { b"tanglewood grammar 1\n" }.to_vec();
    let body = data.iter().position(|&byte| byte == b'\n').map_or(data, |end| &data[end + 1..]);
    let body = body.strip_suffix(b"\n").unwrap_or(body);
    let last = body.iter().rposition(|&byte| byte == b'\n').map_or(0, |at| at + 1);
    text.extend_from_slice(&body[..last]);
    let sum = text
        .iter()
        .fold(0xCBF2_9CE4_8422_2325u64, |sum, &byte| (sum ^ u64::from(byte)).wrapping_mul(0x0100_0000_01B3));
    text.extend_from_slice(format!("checksum\t{sum:016x}\n").as_bytes());
    text
}
